import { once } from 'node:events';
import { connect, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo } from 'node:net';
import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import { Wire } from './wire.js';

const GOSSIP = '/event_store.client.gossip.Gossip/Read';
const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;

/** One node of the cluster: it leads, follows or hangs. */
class FakedNode {
  frozen = false;
  /** The port of the node that this one takes for the leader. */
  leader = 0;

  private constructor(
    private readonly cluster: readonly FakedNode[],
    private readonly behind: string,
    private readonly server: Http2Server,
    private readonly wire: Wire,
  ) {
    server.on('stream', (stream, headers) => this.serve(stream, headers));
  }

  static async start(cluster: readonly FakedNode[], behind: string): Promise<FakedNode> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakedNode(cluster, behind, server, await Wire.to((server.address() as AddressInfo).port));
  }

  get port(): number {
    return this.wire.port;
  }

  /** It accepts connections and answers nothing, as a stopped process does. */
  freeze(): void {
    this.frozen = true;
    this.wire.cut();
  }

  stop(): void {
    this.wire.stop();
    this.server.close();
  }

  private serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    if (headers[':path'] === GOSSIP) return this.gossip(stream);
    if (this.leader !== this.port) return this.refuse(stream);
    this.forward(stream, headers);
  }

  private gossip(stream: ServerHttp2Stream): void {
    const members = this.cluster.map(({ port }) => {
      const endpoint = new EndPoint();
      endpoint.setAddress('127.0.0.1');
      endpoint.setPort(port);
      const id = new UUID();
      id.setString('00000000-0000-4000-8000-000000000001');
      const member = new MemberInfo();
      member.setInstanceId(id);
      member.setIsAlive(true);
      const { LEADER, FOLLOWER } = MemberInfo.VNodeState;
      member.setState(port === this.leader ? LEADER : FOLLOWER);
      member.setHttpEndPoint(endpoint);
      return member;
    });
    const info = new ClusterInfo();
    info.setMembersList(members);
    const body = Buffer.from(info.serializeBinary());
    const frame = Buffer.alloc(5);
    frame.writeUInt32BE(body.length, 1);
    stream.respond(HEADERS, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.concat([frame, body]));
  }

  private refuse(stream: ServerHttp2Stream): void {
    const leader = { 'leader-endpoint-host': '127.0.0.1', 'leader-endpoint-port': String(this.leader) };
    const trailers = { 'grpc-status': '5', 'grpc-message': 'not leader', exception: 'not-leader', ...leader };
    stream.respond({ ...HEADERS, ...trailers }, { endStream: true });
  }

  /** All nodes stand before one log, as replicas have the same events. */
  private forward(stream: ServerHttp2Stream, headers: object): void {
    const session = connect(`http://${this.behind}`);
    session.on('error', () => stream.destroy());
    const onward = session.request({ ...headers, ':authority': this.behind }, { endStream: false });
    onward.on('error', () => stream.destroy());
    onward.once('response', (answer) => {
      stream.respond({ ...HEADERS, ...answer }, { waitForTrailers: true });
      onward.pipe(stream);
    });
    let trailers: Record<string, unknown> = { 'grpc-status': '0' };
    onward.once('trailers', (own) => (trailers = own));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers as Record<string, string>));
    stream.pipe(onward);
    stream.on('close', () => {
      onward.close();
      session.close();
    });
  }
}

/** Three nodes in front of one embedded node. A test freezes the leader, and elects another. */
export class FakedCluster {
  readonly nodes: FakedNode[] = [];

  /** `behind`: host and port of the embedded node. */
  static async start(behind: string): Promise<FakedCluster> {
    const cluster = new FakedCluster();
    for (let node = 0; node < 3; node += 1) cluster.nodes.push(await FakedNode.start(cluster.nodes, behind));
    cluster.elect(0);
    return cluster;
  }

  /** What a node that hangs takes for the leader does not change. */
  elect(index: number): void {
    const port = this.nodes[index]?.port ?? 0;
    for (const node of this.nodes) if (!node.frozen) node.leader = port;
  }

  freeze(index: number): void {
    this.nodes[index]?.freeze();
  }

  get hosts(): string {
    return this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  stop(): void {
    for (const node of this.nodes) node.stop();
  }
}
