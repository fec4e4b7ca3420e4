import { ManualClock } from '../../test/support/manual-clock.js';
import { newUuid } from '../kernel/ids.js';
import { HmacKeyedHashes } from '../platform/crypto/keyed-hashes.js';
import { DownloadLinks, LINK_LIFETIME } from './download-links.js';

const world = (root = 7) => {
  const clock = new ManualClock();
  const links = new DownloadLinks(new HmacKeyedHashes(Buffer.alloc(32, root)), clock, {
    publicUrl: undefined,
    tls: undefined,
  });
  return { clock, links };
};

const partsOf = (link: string) => {
  const { searchParams } = new URL(link);
  return { expires: Number(searchParams.get('expires')), sig: searchParams.get('sig') ?? '' };
};

describe('a link to a file', () => {
  const documentId = newUuid();
  const { clock, links } = world();
  const report = { documentId, kind: 'report' } as const;
  const link = links.linkTo(report, 'kyc.example');
  const { expires, sig } = partsOf(link);
  const checked = (...parts: Parameters<DownloadLinks['check']>) => {
    return () => links.check(...parts);
  };

  it('leads to the download of its document', () => {
    expect(new URL(link).href).toContain(`http://kyc.example/api/v1/compliance/report/${documentId}/download?`);
    expect(links.linkTo({ documentId, kind: 'export' }, 'h')).toContain(`/api/v1/data-export/${documentId}/download?`);
  });

  it('is good at once', () => {
    expect(checked(report, expires, sig)).not.toThrow();
  });

  it.each<[string, Parameters<DownloadLinks['check']>]>([
    ['with a later end', [report, expires + 1, sig]],
    ['with an earlier end', [report, expires - 1, sig]],
    ['to another document', [{ ...report, documentId: newUuid() }, expires, sig]],
    ['to a document of another kind', [{ ...report, kind: 'export' }, expires, sig]],
    ['with another signature', [report, expires, `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`]],
    ['with a signature spelled otherwise', [report, expires, `${sig}=`]],
    ['with a signature cut short', [report, expires, sig.slice(0, -1)]],
    ['with an empty signature', [report, expires, '']],
    ['without its end', [report, undefined, sig]],
    ['without its signature', [report, expires, undefined]],
  ])('is refused %s', (_, parts) => {
    expect(checked(...parts)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
  });

  it('of another deployment is refused', () => {
    const stranger = partsOf(world(8).links.linkTo({ documentId, kind: 'report' }, 'kyc.example'));
    expect(checked(report, stranger.expires, stranger.sig)).toThrow();
  });

  it('is good until its last second and refused from its end on, though nothing in it is altered', () => {
    clock.advance(LINK_LIFETIME - 1_000);
    expect(checked(report, expires, sig)).not.toThrow();
    clock.advance(1_000);
    expect(checked(report, expires, sig)).toThrow();
  });
});
