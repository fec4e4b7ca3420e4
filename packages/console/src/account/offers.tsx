import { useQuery } from '@tanstack/react-query';
import qrcode from 'qrcode-generator';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Ask } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { More, nextOffset, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { useMayChange } from '../who.js';

type Offer = Answers['OfferSummaryResponse'];

/** Milliseconds between looks at an offer that a person scans at this moment. */
const LOOK_EVERY_MS = 2_000;

const isWaiting = ({ status }: Pick<Offer, 'status'>): boolean => status === 'offered' || status === 'accepted';

const MARGIN = 4;

const QrCode = ({ text }: { readonly text: string }) => {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const squares = Array.from({ length: size * size }, (_, place) => [place % size, Math.floor(place / size)] as const);
  const path = squares.map(([x, y]) => (code.isDark(y, x) ? `M${x} ${y}h1v1h-1z` : '')).join('');
  return (
    <svg
      className="qr"
      role="img"
      aria-label="QR code of the offer"
      viewBox={`${-MARGIN} ${-MARGIN} ${size + 2 * MARGIN} ${size + 2 * MARGIN}`}
    >
      <path d={path} />
    </svg>
  );
};

const Withdraw = ({ offer }: { readonly offer: Offer }) => {
  const withdraw = useAct(
    () => answer(api.POST('/api/v1/offers/{offer_id}/withdraw', { params: { path: { offer_id: offer.offer_id } } })),
    ...['offers', 'overview', 'transactions'],
  );
  if (!isWaiting(offer)) return null;
  return (
    <Ask button="Withdraw" title={`Withdraw offer …${offer.offer_id.slice(-8)}`} act={() => withdraw.mutateAsync()}>
      <p>No wallet can take it then, and its credits come back.</p>
    </Ask>
  );
};

/** One offer, for a person who scans it from this screen. */
const Opened = ({ id }: { readonly id: string }) => {
  const offer = useQuery({
    queryKey: ['offers', id],
    queryFn: () => answer(api.GET('/api/v1/offers/{offer_id}', { params: { path: { offer_id: id } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data) ? LOOK_EVERY_MS : false),
  });
  return (
    <div className="offer" role="region" aria-label={`Offer …${id.slice(-8)}`}>
      <Show of={offer}>
        {({ status, ended_because: because, deep_link: link, expires_at: until, wallet_notices: notices }) => (
          <>
            {link !== null && <QrCode text={link} />}
            <p role="status">
              <Badge of={status} /> {because !== null && words(because)}
              {isWaiting({ status }) && (
                <>
                  {' '}
                  ends <Ago at={until} />
                </>
              )}
              {notices.map((notice) => (
                <span key={notice} className="quiet">
                  {' '}
                  {words(notice)}
                </span>
              ))}
            </p>
            {link !== null && (
              <p>
                <a href={link}>Open it in a wallet on this device</a>
              </p>
            )}
          </>
        )}
      </Show>
    </div>
  );
};

/** Whether wallets show the account among those that attest a person. */
const Naming = () => {
  const own = useQuery({ queryKey: ['account'], queryFn: () => answer(api.GET('/api/v1/account')) });
  const change = useAct(
    (isNamed: boolean) => answer(api.PATCH('/api/v1/account', { body: { named_in_credentials: isNamed } })),
    'account',
  );
  return (
    <Show of={own}>
      {({ name, named_in_credentials: isNamed }) => (
        <p className="quiet">
          {isNamed
            ? `A person’s wallet may show that ${name} attests them.`
            : `No wallet shows that ${name} attests a person.`}{' '}
          <span className="actions">
            <Ask
              button={isNamed ? 'Hide our name' : 'Show our name'}
              title={isNamed ? 'Leave the name out of new credentials' : 'Let credentials name you'}
              done={isNamed ? 'New credentials do not name you' : 'New credentials may name you'}
              act={() => change.mutateAsync(!isNamed)}
            >
              <p>
                {isNamed
                  ? 'Those that wallets hold keep the name.'
                  : `Wallets that take a credential of your people may then disclose “attested by ${name}”, whoever issues it.`}
              </p>
            </Ask>
          </span>
        </p>
      )}
    </Show>
  );
};

/** What waits for a wallet, and what became of it. */
export const Offers = () => {
  const { read, write } = useAddress();
  const open = read('offer');
  const isOwner = useMayChange('members');
  const offers = usePages({
    key: ['offers'],
    read: (offset) => answer(api.GET('/api/v1/offers', { params: { query: { limit: 100, offset: Number(offset) } } })),
    next: ({ pagination }) => nextOffset(pagination),
  });
  return (
    <section className="card" aria-label="Offers to wallets">
      <h2>Offers to wallets</h2>
      {open !== '' && <Opened id={open} />}
      <Show of={offers}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.offers);
          return rows.length === 0 ? (
            <Empty>Nothing was offered. POST /api/v1/issue/offer answers a link that a wallet takes.</Empty>
          ) : (
            <>
              <p className="quiet">{many(pages[0]?.pagination.total ?? 0, 'offer')}</p>
              <Table
                label="Offers, newest first"
                rows={rows}
                keyOf={({ offer_id }) => offer_id}
                columns={[
                  { title: 'Offered', cell: ({ offered_at }) => <Ago at={offered_at} /> },
                  { title: 'Offer', cell: ({ offer_id: id }) => <Short id={id} /> },
                  { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
                  { title: 'Tier', cell: ({ tier }) => tier },
                  { title: 'Why', cell: ({ ended_because: because }) => (because === null ? '' : words(because)) },
                  {
                    title: '',
                    cell: (offer) => (
                      <span className="actions">
                        <button
                          type="button"
                          onClick={() => write({ offer: open === offer.offer_id ? '' : offer.offer_id })}
                        >
                          {open === offer.offer_id ? 'Close' : 'Show'}
                        </button>
                        <Withdraw offer={offer} />
                      </span>
                    ),
                  },
                ]}
              />
              <More of={offers}>Older offers</More>
            </>
          );
        }}
      </Show>
      {isOwner && <Naming />}
    </section>
  );
};
