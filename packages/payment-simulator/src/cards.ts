/** What a card does when it is charged. */
export type Behaviour =
  'pays' | 'declined' | 'authenticates_once' | 'authenticates_always' | 'declined_later' | 'disputed';

interface TestCard {
  readonly behaviour: Behaviour;
  readonly label: string;
}

/** Stripe's own test cards, by number. */
export const TEST_CARDS: Readonly<Record<string, TestCard>> = {
  '4242424242424242': { behaviour: 'pays', label: 'pays' },
  '4000000000000002': { behaviour: 'declined', label: 'is declined' },
  '4000002500003155': { behaviour: 'authenticates_once', label: 'asks for authentication, then pays' },
  '4000002760003184': { behaviour: 'authenticates_always', label: 'asks for authentication at every payment' },
  '4000000000000341': { behaviour: 'declined_later', label: 'pays now; later payments without you are declined' },
  '4000000000000259': { behaviour: 'disputed', label: 'pays, then the payment is disputed' },
};

export const behaviourOf = (card: string): Behaviour | undefined => TEST_CARDS[card.replace(/[\s-]/g, '')]?.behaviour;
