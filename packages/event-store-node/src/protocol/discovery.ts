import { type Call } from '../grpc/call.js';
import { frame, type MessageWriter } from '@kyc/esdb-wire/messages';

/** Clients of 23.10 ask for these before they use a method that older servers lack. */
const METHODS: readonly (readonly [
  service: string,
  methods: readonly (readonly [name: string, features: readonly string[]])[],
])[] = [
  [
    'event_store.client.streams.streams',
    [
      ['append', []],
      ['batchappend', ['deadline_duration']],
      ['delete', []],
      ['read', ['position', 'events']],
      ['tombstone', []],
    ],
  ],
  ['event_store.client.gossip.gossip', [['read', []]]],
  ['event_store.client.server_features.serverfeatures', [['getsupportedmethods', []]]],
];
const SERVER_VERSION = '23.10.5';

/** ServerFeatures.GetSupportedMethods. */
export function supportedMethods(call: Call): void {
  answerOnce(call, (writer) => {
    for (const [service, methods] of METHODS) {
      for (const [name, features] of methods) {
        const method = writer.open(1);
        writer.string(1, name);
        writer.string(2, service);
        for (const feature of features) writer.string(3, feature);
        writer.close(method);
      }
    }
    writer.string(2, SERVER_VERSION);
  });
}

const LEADER = 8;

/** Gossip.Read: a cluster of one node, for connection strings with discovery. */
export function gossip(instanceId: string, port: () => number): (call: Call) => void {
  return (call) =>
    answerOnce(call, (writer) => {
      const member = writer.open(1);
      const id = writer.open(1);
      writer.string(2, instanceId);
      writer.close(id);
      writer.uint(2, Date.now() * 10_000);
      writer.uint(3, LEADER);
      writer.uint(4, 1);
      const endPoint = writer.open(5);
      writer.string(1, '127.0.0.1');
      writer.uint(2, port());
      writer.close(endPoint);
      writer.close(member);
    });
}

function answerOnce(call: Call, write: (writer: MessageWriter) => void): void {
  call.receive(
    () => undefined,
    () => {
      call.send(frame(write));
      call.end();
    },
  );
}
