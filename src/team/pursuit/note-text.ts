import type { Colleague } from '#contract/account/pursuit-settings.ts'

type NoteTextSegment = { readonly kind: 'text' | 'mention' | 'link'; readonly text: string }

const SPECIAL_CHARS = /[.*+?^${}()|[\]\\]/g
/** A link ends before the punctuation that closes a sentence or a bracket. */
const LINK = String.raw`https?://\S*[^\s.,;:!?)\]}"”’]`

/** Splits a note into mentions, links and plain text. Joined, the parts equal the original text exactly. */
export function splitNoteText(text: string, mentioned: readonly Pick<Colleague, 'name'>[]): NoteTextSegment[] {
  const names = mentioned.map(({ name }) => `@${name.replace(SPECIAL_CHARS, String.raw`\$&`)}`)
  // The longest name first, because another may begin it.
  const pattern = new RegExp(`(${[...names.sort((a, b) => b.length - a.length), LINK].join('|')})`)
  return text.split(pattern).flatMap((part, index): NoteTextSegment[] => {
    if (part === '') return []
    if (index % 2 === 0) return [{ kind: 'text', text: part }]
    return [{ kind: part.startsWith('@') ? 'mention' : 'link', text: part }]
  })
}

/** Returns the word between the last `@` and the caret; undefined if the user is not typing a mention. */
export function findMentionQueryAt(
  text: string,
  caret: number,
): { readonly from: number; readonly word: string } | undefined {
  const from = text.lastIndexOf('@', caret - 1)
  if (from === -1) return undefined
  const before = text[from - 1]
  if (before !== undefined && /[\p{L}\p{N}.]/u.test(before) && !/[\u0E00-\u0E7F]/.test(before)) return undefined
  const word = text.slice(from + 1, caret)
  return word.length > 40 || word.includes('\n') ? undefined : { from, word }
}

export function suggestMentionedColleagues(query: string, members: readonly Colleague[], me: number): Colleague[] {
  const needle = query.toLocaleLowerCase('th')
  return members
    .filter(({ id, name, is_disabled }) => !is_disabled && id !== me && name.toLocaleLowerCase('th').includes(needle))
    .slice(0, 6)
}

export function findMentionedMemberIds(text: string, members: readonly Colleague[]): number[] {
  return members.filter(({ name, is_disabled }) => !is_disabled && text.includes(`@${name}`)).map(({ id }) => id)
}
