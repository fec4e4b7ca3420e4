import { givenFor } from '../../../test/support/given.js';
import { type DocumentCommand } from './document.commands.js';
import { documentDecider } from './document.js';
import { type DocumentEvent } from './document.events.js';

const given = givenFor(documentDecider);
const NOW = new Date('2026-11-22T10:00:00.000Z');
const AT = NOW.toISOString();

const request = (): Extract<DocumentCommand, { kind: 'request' }> => ({
  kind: 'request',
  request: {
    documentId: 'doc',
    kind: 'report',
    format: 'json',
    period: { from: AT, to: AT },
    include: ['summary'],
    identityId: null,
    requestedAt: AT,
  },
});

const file = { fileId: 'f1', sha256: 'ab', bytes: 5, completedAt: AT, expiresAt: AT };
const requested: DocumentEvent = { type: 'DocumentRequested.v1', data: request().request };
const completed: DocumentEvent = { type: 'DocumentCompleted.v1', data: { documentId: 'doc', kind: 'report', ...file } };
const failed: DocumentEvent = {
  type: 'DocumentFailed.v1',
  data: { documentId: 'doc', kind: 'report', reason: 'broken', failedAt: AT },
};
const expired: DocumentEvent = {
  type: 'DocumentExpired.v1',
  data: { documentId: 'doc', fileId: 'f1', reason: 'erasure', expiredAt: AT },
};

const complete: DocumentCommand = { kind: 'complete', file };
const fail: DocumentCommand = { kind: 'fail', reason: 'broken', now: NOW };
const withdraw: DocumentCommand = { kind: 'withdraw', documentId: 'doc', now: NOW };
const withdrawn: DocumentEvent = {
  type: 'DocumentWithdrawn.v1',
  data: { documentId: 'doc', withdrawnAt: AT },
};
const expire: DocumentCommand = { kind: 'expire', reason: 'erasure', now: NOW };

describe('a document', () => {
  it('is requested once, however often its request is repeated', () => {
    given().when(request()).then(requested);
    given(requested).when(request()).thenNothing();
    given(requested, completed).when(request()).thenNothing();
  });

  it('whose credits went back is there for nobody, whatever became of it, and is not requested any more', () => {
    for (const history of [[], [requested], [requested, completed], [requested, failed]]) {
      given(...history)
        .when(withdraw)
        .then(withdrawn);
      given(...history, withdrawn)
        .when(request())
        .thenRejected('timeout');
      for (const command of [withdraw, complete, fail, expire])
        given(...history, withdrawn)
          .when(command)
          .thenNothing();
    }
  });

  it('ends once: completed or failed', () => {
    given(requested).when(complete).then(completed);
    given(requested).when(fail).then(failed);
    given(requested, completed).when(fail).thenNothing();
    given(requested, failed).when(complete).thenNothing();
  });

  it('gives a file to nobody after it expired in the making', () => {
    given(requested)
      .when(expire)
      .then({ ...expired, data: { ...expired.data, fileId: null } });
    given(requested, expired).when(complete).thenNothing();
  });

  it('expires once, with its file', () => {
    given(requested, completed).when(expire).then(expired);
    given(requested, completed, expired).when(expire).thenNothing();
    given(requested, failed).when(expire).thenNothing();
  });

  it('is made again where its file is gone, and only then', () => {
    const lose = { kind: 'lose', fileId: 'f1', now: NOW } as const;
    const lost: DocumentEvent = { type: 'DocumentFileLost.v1', data: { documentId: 'doc', fileId: 'f1', lostAt: AT } };
    given(requested, completed).when(lose).then(lost);
    for (const history of [[requested], [requested, completed, lost], [requested, completed, expired]])
      given(...history)
        .when(lose)
        .thenNothing();
    given(requested, completed)
      .when({ ...lose, fileId: 'f2' })
      .thenNothing();
    given(requested, completed, lost).when(complete).then(completed);
    given(requested, completed, lost).when(fail).then(failed);
  });

  it('knows nothing before its request', () => {
    for (const command of [complete, fail, expire]) given().when(command).thenNothing();
  });
});
