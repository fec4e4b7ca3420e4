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
    ['money for letters', '€ri¢ $mith', 'eric smith'],
    ['digits for letters', '8ogdan 6o8rowi2', 'bogdan bobrowiz'],
    ['full width', 'Ｚebu１on Qu！llfe＠ther', 'Zebuion Quillfeather'],
    ['what cannot be seen between', 'Zebu\u200b1\u200bon Qu\u200b1\u200b11fe\u200b4\u200bther', 'Zebulon Qulllfeather'],
    ['an embedding within an override', '\u202erehtaef\u202a\u202clliuQ\u202c Zebulon', 'Quillfeather Zebulon'],
    ['letters upside down, as programs write them', 'ɹǝɥʇɐǝɟllᴉnQ uolnqǝZ', 'Zebulon Quillfeather'],
    ['letters upside down in their order', 'Zǝqnlou Qnᴉllɟǝɐʇɥǝɹ', 'Zebulon Quillfeather'],
  ])('know %s', (_, written, read) => expect(waysToRead(written)).toContain(read));

  it('are few, whatever the name holds', () => expect(waysToRead('\u202eɐ!1|$\u202c ɐ!1|$ 0ɐ')).toHaveLength(10));
});
