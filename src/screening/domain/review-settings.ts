import { type Decider } from '../../kernel/decider.js';
import { type ReviewSettingsChanged } from './review-settings.events.js';

export type ReviewSettings = ReviewSettingsChanged['data'];

/** Of an account that has changed nothing. */
export const USUAL_REVIEW: ReviewSettings = { datePolicy: 'lenient' };

/** What is left out stays as it is. */
export type ChangeReviewSettings = Partial<ReviewSettings>;

export const reviewSettingsDecider: Decider<ReviewSettings, ChangeReviewSettings, ReviewSettingsChanged> = {
  initialState: () => USUAL_REVIEW,
  decide: ({ datePolicy }, settings) =>
    datePolicy === undefined || datePolicy === settings.datePolicy
      ? []
      : [{ type: 'ReviewSettingsChanged.v1', data: { ...settings, datePolicy } }],
  evolve: (_, { data }) => data,
};
