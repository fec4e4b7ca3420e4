import { preferredWait } from './prefer-wait.js';

describe('the seconds that a caller prefers to wait', () => {
  it.each([
    ['wait=5', 5],
    ['respond-async, wait=10', 10],
    ['Wait = "3"; a=b', 3],
    ['wait=1,handling=lenient', 1],
    ['wait=0', undefined],
    ['wait=11', undefined],
    ['wait=5s', undefined],
    ['await=5', undefined],
    ['wait', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are those of %j', (prefer, seconds) => {
    expect(preferredWait(prefer)).toBe(seconds);
  });
});
