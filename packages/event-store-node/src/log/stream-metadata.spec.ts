import { isSoftDeleted, parseMetadata, softDeletedJson } from './stream-metadata.js';

const parsed = (json: string) => parseMetadata(Buffer.from(json));
const counted = (json: string) => {
  const { maxCount, maxAge, truncateBefore } = parsed(json) ?? {};
  return { maxCount, maxAge, truncateBefore };
};

describe('metadata of a stream', () => {
  it('counts where its members are integers', () => {
    expect(counted('{"$maxCount":3,"$maxAge":60,"$tb":0,"other":1.5}')).toEqual({
      maxCount: 3,
      maxAge: 60,
      truncateBefore: 0,
    });
    expect(isSoftDeleted(parseMetadata(softDeletedJson()))).toBe(true);
  });

  it.each([
    '{"$maxCount":1.5,"$tb":2}',
    '{"$maxCount":"3","$tb":2}',
    '{"$maxCount":null,"$tb":2}',
    '{"$maxAge":0.5,"$tb":2}',
    '{"$maxAge":1e18,"$tb":2}',
    '{"$tb":1e20,"$maxCount":3}',
    '{"$tb":2.5,"$maxCount":3}',
    '{"$cacheControl":1.5,"$maxCount":3}',
  ])('counts as none with a member that is no integer in range, but is kept: %s', (json) => {
    expect(parsed(json)).toEqual({ raw: JSON.parse(json) as unknown });
  });

  it('does without a member that is too small', () => {
    expect(counted('{"$maxCount":0,"$maxAge":60}')).toEqual({ maxAge: 60 });
    expect(counted('{"$maxCount":3,"$maxAge":-1,"$tb":-1}')).toEqual({ maxCount: 3 });
  });

  it.each(['', 'x', '[]', '"x"', 'null', '3'])('is none where it is no object: %s', (json) => {
    expect(parsed(json)).toBeUndefined();
  });
});
