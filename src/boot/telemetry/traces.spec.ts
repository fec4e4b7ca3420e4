import { type Span } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { type SamplerName } from '../../platform/config/config.js';
import { refuse } from '../../kernel/rejection.js';
import { FollowsCauses, samplerOf } from './sampling.js';
import { ChosenIds, traceIdsOf } from './trace-ids.js';
import { Traces } from './traces.js';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const SAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const NOT_SAMPLED = `00-${CALLER.traceId}-${CALLER.spanId}-00`;

const tracing = (sampler: SamplerName = 'parentbased_always_on', share = 1) => {
  const exporter = new InMemorySpanExporter();
  const ids = new ChosenIds();
  const chosen = samplerOf(sampler, share);
  const provider = new TracerProvider({
    idGenerator: ids,
    sampler: new FollowsCauses(chosen),
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const traces = new Traces(provider.getTracer('test'), ids, chosen);
  const request = (id: string, traceparent?: string): Span => traces.request(id, traceparent, `request ${id}`, {});
  const sent = (): ReadableSpan[] => exporter.getFinishedSpans();
  const one = (name: string): ReadableSpan => {
    const [span, ...others] = sent().filter((each) => each.name === name);
    if (span === undefined || others.length > 0) throw new Error(`${name} is not one span`);
    return span;
  };
  const linksOf = (name: string) => one(name).links.map(({ context }) => context.spanId);
  return { traces, request, sent, one, linksOf };
};

const nothing = (): Promise<void> => Promise.resolve();
const causes = (...ids: string[]): ReadonlySet<string> => new Set(ids);

it('derives the ids of a request from nothing but its id, and never those of another', () => {
  expect(traceIdsOf('one')).toEqual(traceIdsOf('one'));
  expect(traceIdsOf('one')).toEqual({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(traceIdsOf('one').traceId).not.toBe(traceIdsOf('two').traceId);
});

describe('a part', () => {
  it('is within the span of what runs', async () => {
    const { traces, request, one } = tracing();
    const span = request('r1');
    await traces.within(span, 'r1', () => traces.part('outer', {}, () => traces.part('inner', {}, nothing)));
    expect(one('outer').parentSpanContext?.spanId).toBe(traceIdsOf('r1').spanId);
    expect(one('inner').parentSpanContext?.spanId).toBe(one('outer').spanContext().spanId);
    expect(one('outer').spanContext().spanId).not.toBe(traceIdsOf('r1').spanId);
  });

  it('has no span where nothing runs, or where what began it has ended', async () => {
    const { traces, request, sent } = tracing();
    const span = request('r1');
    span.end();
    await traces.part('by itself', {}, nothing);
    await traces.within(span, 'r1', () => traces.part('too late', {}, nothing));
    expect(sent().map(({ name }) => name)).toEqual(['request r1']);
  });

  it('tells the kind of a failure and never its message; a refusal is no failure', async () => {
    const { traces, request, one } = tracing();
    const span = request('r1');
    const fails = (name: string, error: Error): Promise<void> =>
      traces.within(span, 'r1', () => traces.part(name, {}, () => Promise.reject(error))).catch(() => undefined);
    await fails('broken', new TypeError('no such person: Wilhelmina'));
    await fails('refused', refuse('credits_depleted', { detail: 'Wilhelmina' }));
    expect(one('broken')).toMatchObject({ attributes: { 'error.type': 'TypeError' }, status: { code: 2 }, events: [] });
    expect(one('refused')).toMatchObject({ attributes: { 'kyc.refusal': 'credits_depleted' }, status: { code: 0 } });
    expect(JSON.stringify([one('broken').attributes, one('broken').status, one('refused').status])).not.toContain(
      'Wilhelmina',
    );
  });
});

describe('an append', () => {
  it('is a part of the work that waits for it', async () => {
    const { traces, request, one } = tracing();
    const span = request('r1');
    await traces.within(span, 'r1', () =>
      traces.part('command', {}, () => traces.append('append', {}, causes('r1'), nothing)),
    );
    expect(one('append').parentSpanContext?.spanId).toBe(one('command').spanContext().spanId);
    expect(one('append').links).toEqual([]);
  });

  it('belongs to the request of its events, whoever began the loop that it runs in', async () => {
    const { traces, request, one } = tracing();
    const first = request('r1');
    request('r2');
    await traces.within(first, 'r1', () => traces.append('append', {}, causes('r2'), nothing));
    expect(one('append').parentSpanContext).toMatchObject(traceIdsOf('r2'));
  });

  it('that requests share is a trace of its own, with a link to each', async () => {
    const { traces, request, one, linksOf } = tracing();
    const first = request('r1');
    request('r2');
    await traces.within(first, 'r1', () => traces.append('append', {}, causes('r1', 'r2'), nothing));
    expect(one('append').parentSpanContext).toBeUndefined();
    expect(linksOf('append')).toEqual([traceIdsOf('r1').spanId, traceIdsOf('r2').spanId]);
    expect(one('append').attributes).toMatchObject({ 'kyc.causes': 2 });
  });

  it("makes a request in its caller's trace found by its id, once", async () => {
    const { traces, request, one, linksOf } = tracing();
    const span = request('r1', SAMPLED);
    expect(span.spanContext().traceId).toBe(CALLER.traceId);
    for (const name of ['append 1', 'append 2']) await traces.append(name, {}, causes('r1'), nothing);
    expect(one('request in the trace of its caller').spanContext()).toMatchObject(traceIdsOf('r1'));
    expect(linksOf('request in the trace of its caller')).toEqual([span.spanContext().spanId]);
  });

  it('has no span where its request is not sampled', async () => {
    const { traces, request, sent } = tracing();
    request('r1', NOT_SAMPLED);
    await traces.append('append', {}, causes('r1'), nothing);
    expect(sent()).toEqual([]);
  });

  it('of a request that another process knows leads to the ids that its id gives', async () => {
    const { traces, one } = tracing();
    await traces.append('append', {}, causes('elsewhere'), nothing);
    expect(one('append').parentSpanContext).toMatchObject(traceIdsOf('elsewhere'));
  });
});

describe('what follows from requests', () => {
  it('is linked to them, and the append within it is a part of it', async () => {
    const { traces, one, linksOf } = tracing();
    await traces.following('react', {}, causes('r1'), () => traces.append('append', {}, causes('r1'), nothing));
    expect(one('react').parentSpanContext).toBeUndefined();
    expect(linksOf('react')).toEqual([traceIdsOf('r1').spanId]);
    expect(one('append').parentSpanContext?.spanId).toBe(one('react').spanContext().spanId);
  });

  it('of requests that are not sampled is no part of another that happens to run it', async () => {
    const { traces, request, sent } = tracing();
    const running = request('r1', SAMPLED);
    request('r2', NOT_SAMPLED);
    const following = () => traces.following('react', {}, causes('r2'), () => traces.part('a part of it', {}, nothing));
    await traces.within(running, 'r1', following);
    running.end();
    expect(sent().map(({ name }) => name)).toEqual(['request r1']);
  });

  it('has 128 links at most, and tells how many requests there were', async () => {
    const { traces, one } = tracing();
    const many = new Set(Array.from({ length: 300 }, (_, index) => `r${index}`));
    await traces.following('project', {}, many, nothing);
    expect(one('project')).toMatchObject({ links: { length: 128 }, droppedLinksCount: 0 });
    expect(one('project').attributes).toMatchObject({ 'kyc.causes': 300 });
  });

  it('is told where one of them is sampled, in this process and in any other', async () => {
    const some = Array.from({ length: 200 }, (_, index) => `r${index}`);
    const here = tracing('parentbased_traceidratio', 0.1);
    const sampled = some.filter((id) => here.request(id).isRecording());
    expect(sampled.length).toBeGreaterThan(0);
    expect(sampled.length).toBeLessThan(100);
    for (const { traces, sent, linksOf } of [here, tracing('parentbased_traceidratio', 0.1)]) {
      await traces.following('project', {}, new Set(some), nothing);
      expect(linksOf('project')).toEqual(sampled.map((id) => traceIdsOf(id).spanId));
      const others = some.filter((id) => !sampled.includes(id));
      await traces.following('nobody asked', {}, new Set(others), nothing);
      expect(sent().map(({ name }) => name)).not.toContain('nobody asked');
    }
  });

  it("follows a caller's choice", async () => {
    const { traces, request, linksOf, sent } = tracing();
    const span = request('r1', SAMPLED);
    request('r2', NOT_SAMPLED);
    await traces.following('project', {}, causes('r1', 'r2'), nothing);
    expect(linksOf('project')).toEqual([span.spanContext().spanId]);
    await traces.following('nothing', {}, causes('r2'), nothing);
    expect(sent().map(({ name }) => name)).toEqual(['project']);
  });
});

it('gives a request whose id comes again a span of its own, in the same trace', () => {
  const { request } = tracing();
  const [first, again] = [request('r1').spanContext(), request('r1').spanContext()];
  expect(again.traceId).toBe(first.traceId);
  expect(again.spanId).not.toBe(first.spanId);
});

it.each(['nonsense', '00-zz-00f067aa0ba902b7-01', `00-${'0'.repeat(32)}-${CALLER.spanId}-01`])(
  'heeds no traceparent like %s',
  (traceparent) => {
    const { request } = tracing();
    expect(request('r1', traceparent).spanContext()).toMatchObject(traceIdsOf('r1'));
  },
);

it.each<[SamplerName, number]>([
  ['always_on', 3],
  ['always_off', 0],
  ['traceidratio', 0],
  ['parentbased_always_on', 2],
  ['parentbased_always_off', 1],
  ['parentbased_traceidratio', 1],
])('samples by %s as the specification says', (name, spans) => {
  const { request, sent } = tracing(name, 0);
  for (const span of [request('r1'), request('r2', SAMPLED), request('r3', NOT_SAMPLED)]) span.end();
  expect(sent().length).toBe(spans);
});
