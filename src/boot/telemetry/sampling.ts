import { type Attributes, type Context, type Link, type SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { type SamplerName } from '../../platform/config/config.js';

/** The samplers of the specification. `share` counts where the name has a ratio. */
export const samplerOf = (name: SamplerName, share: number): Sampler => {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(share);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) });
  }
};

/**
 * A root span that is linked to its causes is sampled if one of them is. So a sampled request is traced to its end: with the
 * append that it shared and the rows that followed.
 */
export class FollowsCauses implements Sampler {
  constructor(private readonly others: Sampler) {}

  shouldSample(
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    if (links.length === 0 || trace.getSpanContext(context) !== undefined)
      return this.others.shouldSample(context, traceId, name, kind, attributes, links);
    const isCauseSampled = links.some(({ context: cause }) => (cause.traceFlags & TraceFlags.SAMPLED) !== 0);
    return { decision: isCauseSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }

  toString(): string {
    return `FollowsCauses{${this.others.toString()}}`;
  }
}
