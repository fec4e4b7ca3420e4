import { isDeepStrictEqual } from 'node:util';
import { type Decider } from '../../kernel/decider.js';
import { type ReviewSettingsChanged } from './review-settings.events.js';

export type ReviewSettings = ReviewSettingsChanged['data'];

/** Of an account that has changed nothing. */
export const USUAL_REVIEW: ReviewSettings = {
  datePolicy: 'lenient',
  fourEyes: false,
  fourEyesErasure: false,
  dueDays: null,
};

/** What is left out stays as it is. */
export type ChangeReviewSettings = Partial<ReviewSettings>;

export const reviewSettingsDecider: Decider<ReviewSettings, ChangeReviewSettings, ReviewSettingsChanged> = {
  initialState: () => USUAL_REVIEW,
  decide: (change, settings) => {
    const changed = { ...settings, ...change };
    return isDeepStrictEqual(changed, settings) ? [] : [{ type: 'ReviewSettingsChanged.v1', data: changed }];
  },
  evolve: (_, { data }) => data,
};
