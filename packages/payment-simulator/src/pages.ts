import { TEST_CARDS } from './cards.js';
import {
  type Charge,
  type Dispute,
  type Invoice,
  type PortalSession,
  type Price,
  type Session,
  type Subscription,
} from './objects.js';

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1b1f24, #e6edf3); --quiet: light-dark(#57606a, #9da7b3); --ground: light-dark(#f3f4f6, #0d1117); --card: light-dark(#fff, #1b2129); --line: light-dark(#d0d7de, #444c56); --accent: light-dark(#0550ae, #79c0ff); --on: light-dark(#fff, #0d1117); --bad: light-dark(#a4161a, #ffa198); }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; line-height: 1.25; } h2 { margin: 1.5rem 0 .5rem; font-size: 1.15rem; }
.price { margin: .5rem 0 1rem; font-size: 2rem; font-weight: 650; font-variant-numeric: tabular-nums; } .note { color: var(--quiet); font-size: .9rem; }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
input[type=text] { width: 100%; padding: .45rem .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 6px; }
button { margin: .75rem .5rem 0 0; padding: .45rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: 6px; cursor: pointer; background: var(--accent); color: var(--on); }
button.quiet { background: transparent; color: var(--accent); } a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.fault { color: var(--bad); font-weight: 600; } ul { padding-left: 1.2rem; } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; } td { padding: .5rem 0; border-top: 1px solid var(--line); } td .note { overflow-wrap: anywhere; }
summary { padding: .25rem 0; cursor: pointer; }
form.row { display: inline; } .row button { margin: .2rem .3rem .2rem 0; padding: .3rem .7rem; }
`;

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const MERCHANT = 'KYC attestation network';

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><p class="note"><strong>${MERCHANT}</strong> · payment simulator: no money moves</p><h1>${escape(title)}</h1>${body}</main></body></html>`;

const dollars = (minor: number | null): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format((minor ?? 0) / 100);

const fault = (text: string | undefined): string =>
  text === undefined ? '' : `<p class="fault" role="alert">${escape(text)}</p>`;

const cardField = (card = '4242 4242 4242 4242'): string => `<label for="card">Card number</label>
<input type="text" id="card" name="card" value="${escape(card)}" inputmode="numeric" autocomplete="off" required aria-describedby="cards">
<details><summary>Cards to try</summary><ul id="cards">${Object.entries(TEST_CARDS)
  .map(([number, { label }]) => `<li><code>${number.replace(/(.{4})(?=.)/g, '$1 ')}</code> ${escape(label)}</li>`)
  .join('')}</ul></details>`;

const button = (name: string, label: string, quiet = false): string =>
  `<button name="do" value="${name}"${quiet ? ' class="quiet" formnovalidate' : ''}>${escape(label)}</button>`;

/** A refused try, with the card that was given. */
export interface RefusedTry {
  readonly card: string;
  readonly reason: string;
}

export const paymentPage = (session: Session, product: string, refused?: RefusedTry): string =>
  page(
    'Pay',
    `<p>${escape(product)}</p><p class="price">${dollars(session.amount_total)}${
      session.mode === 'subscription' ? ' <span class="note">a month</span>' : ''
    }</p>${fault(refused?.reason)}<form method="post">${cardField(refused?.card)}${button('pay', 'Pay')}${button('cancel', 'Cancel', true)}</form>`,
  );

export const authenticationPage = (session: Session, card: string): string =>
  page(
    'Confirm it is you',
    `<p>The bank asks for a confirmation of ${dollars(session.amount_total)}.</p>
<form method="post"><input type="hidden" name="card" value="${escape(card)}">${button('authenticate', 'Confirm')}${button(
      'refuse',
      'Refuse',
      true,
    )}</form>`,
  );

export const messagePage = (title: string, text: string): string => page(title, `<p>${escape(text)}</p>`);

const day = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

const standing = ({ items, status, cancel_at_period_end }: Subscription): string => {
  const [item] = items.data;
  const end = day(item?.current_period_end ?? 0);
  return `<p><strong>${escape(item?.price.nickname ?? '')}</strong>, ${dollars(item?.price.unit_amount ?? 0)} a month; ${
    cancel_at_period_end ? `ends on ${end}` : `${escape(status)}, next payment on ${end}`
  }.</p>`;
};

const table = (rows: readonly string[]): string =>
  rows.length === 0 ? '<p>None.</p>' : `<table><tbody>${rows.join('')}</tbody></table>`;

const paymentRow = (paid: Charge | Invoice): string => {
  const on = day(paid.created);
  if (paid.object === 'invoice')
    return `<tr><td>${on}</td><td>Subscription</td><td>${dollars(paid.amount_paid)}</td><td></td></tr>`;
  const back = paid.amount_refunded === 0 ? '' : `, ${dollars(paid.amount_refunded)} given back`;
  const link = `<a href="/receipts/${escape(paid.id)}" aria-label="Receipt of ${on}">Receipt</a>`;
  return `<tr><td>${on}</td><td>Credits</td><td>${dollars(paid.amount)}${back}</td><td>${link}</td></tr>`;
};

export const portalPage = (
  portal: PortalSession,
  subscription: Subscription | undefined,
  { prices, payments }: { readonly prices: readonly Price[]; readonly payments: readonly (Charge | Invoice)[] },
  statusMessage?: string,
): string => {
  const present = subscription?.items.data[0]?.price.id;
  const choices = prices
    .filter(({ id }) => id !== present)
    .map(({ id, nickname, unit_amount }) => button(`change:${id}`, `Change to ${nickname}, ${dollars(unit_amount)}`))
    .join('');
  const plan =
    subscription === undefined
      ? '<p>There is no subscription.</p>'
      : `${standing(subscription)}<form method="post">${choices}${button('cancel_later', 'Cancel at the end of the period', true)}</form>
<details><summary>End it at once instead</summary><form method="post"><p class="note">The plan ends now, and what was paid for it is not given back.</p>${button(
          'cancel_now',
          'Cancel now',
          true,
        )}</form></details>`;
  return page(
    'Your billing',
    `${statusMessage === undefined ? '' : `<p role="status">${escape(statusMessage)}</p>`}<h2>Subscription</h2>${plan}
<h2>Card</h2><form method="post">${cardField()}${button('card', 'Save card')}</form>
<h2>Invoices</h2>${table(payments.map(paymentRow))}
<p><a href="${escape(portal.return_url)}">Return</a></p>`,
  );
};

export const receiptPage = ({ id, amount, amount_refunded, created }: Charge): string =>
  page(
    'Receipt',
    `<p class="price">${dollars(amount)}</p><table><tbody>${[
      ['Paid on', day(created)],
      ['Refunded', dollars(amount_refunded)],
      ['Payment', id],
    ]
      .map(([name = '', value = '']) => `<tr><td>${name}</td><td>${escape(value)}</td></tr>`)
      .join('')}</tbody></table>`,
  );

const row = (what: string, id: string, actions: readonly (readonly [string, string])[]): string =>
  `<tr><td>${escape(what)}<br><span class="note">${escape(id)}</span></td><td>${actions
    .map(
      ([name, label]) =>
        `<form method="post" class="row"><input type="hidden" name="id" value="${escape(id)}">${button(name, label, true)}</form>`,
    )
    .join('')}</td></tr>`;

/** What a merchant does in Stripe's dashboard, and what time and banks do by themselves. */
export const dashboardPage = (
  charges: readonly Charge[],
  disputes: readonly Dispute[],
  subscriptions: readonly Subscription[],
): string =>
  page(
    'Dashboard',
    `<h2>Payments</h2>${table(
      charges.map(({ id, amount, amount_refunded }) =>
        row(`${dollars(amount)}, refunded ${dollars(amount_refunded)}`, id, [
          ['refund', 'Refund'],
          ['refund_half', 'Refund half'],
          ['fail_refund', 'Fail refunds'],
          ['dispute', 'Dispute'],
        ]),
      ),
    )}<h2>Disputes</h2>${table(
      disputes.map(({ id, amount, status }) =>
        row(`${dollars(amount)}, ${status}`, id, [
          ['win', 'Win'],
          ['lose', 'Lose'],
        ]),
      ),
    )}<h2>Subscriptions</h2>${table(
      subscriptions.map(({ id, status, items }) =>
        row(`${items.data[0]?.price.nickname ?? ''}, ${status}`, id, [['renew', 'End the period now']]),
      ),
    )}`,
  );
