import { waysToRead } from './disguises.js';

describe('the ways to read a name', () => {
  it.each([['Zebulon Quillfeather'], ['Ögedei Åström-Ñúñez'], ['Əliyev Ɔkɛ'], ['Σωκράτης'], ['محمد']])(
    'are one of a plain name: %s',
    (name) => expect(waysToRead(name)).toEqual([name]),
  );

  it.each([
    ['an override of the direction', '\u202erehtaefllinQ\u202c nolubeZ', 'Qnillfeather nolubeZ'],
    ['an override without an end', 'Zebulon \u202erehtaefllinQ', 'Zebulon Qnillfeather'],
    ['signs for letters', 'Zebu1on Qu!llfe@ther', 'Zebulon Qulllfeather'],
    ['other letters for the same signs', 'Zebu1on Qu!llfe@ther', 'Zebuion Quillfeather'],
    ['money for letters', '€ri¢ $mith', 'eri¢ smith'],
    ['letters upside down, as programs write them', 'ɹǝɥʇɐǝɟllᴉnQ uolnqǝZ', 'Zebulon Quillfeather'],
    ['letters upside down in their order', 'Zǝqnlou Qnᴉllɟǝɐʇɥǝɹ', 'Zebulon Quillfeather'],
  ])('know %s', (_, written, read) => expect(waysToRead(written)).toContain(read));

  it('are few, whatever the name holds', () =>
    expect(waysToRead('\u202eɐ!1|$\u202c ɐ!1|$ 0ɐ').length).toBeLessThanOrEqual(32));
});
