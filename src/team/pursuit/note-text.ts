import type { Colleague } from '#contract/account/pursuit-settings.ts'

export type NoteTextSegment = { readonly kind: 'text' | 'mention' | 'link'; readonly text: string }

const TRAILING = '.,;:!?)]}"”’'

/** Splits a note into mentions, links and plain text. Joined, the parts equal the original text exactly. */
export function splitNoteText(text: string, mentioned: readonly Pick<Colleague, 'name'>[]): NoteTextSegment[] {
  const names = mentioned.map(({ name }) => `@${name}`).sort((a, b) => b.length - a.length)
  const parts: NoteTextSegment[] = []
  let plainText = ''
  const pushPart = (part: NoteTextSegment) => {
    if (plainText !== '') parts.push({ kind: 'text', text: plainText })
    plainText = ''
    parts.push(part)
  }
  for (let at = 0; at < text.length; ) {
    const name = text[at] === '@' ? names.find((candidate) => text.startsWith(candidate, at)) : undefined
    const link = text[at] === 'h' ? linkAt(text, at) : undefined
    if (name) pushPart({ kind: 'mention', text: name })
    else if (link) pushPart({ kind: 'link', text: link })
    else plainText += text[at]
    at += (name ?? link ?? ' ').length
  }
  if (plainText !== '') parts.push({ kind: 'text', text: plainText })
  return parts
}

function linkAt(text: string, at: number): string | undefined {
  const scheme = ['https://', 'http://'].find((prefix) => text.startsWith(prefix, at))
  if (!scheme) return undefined
  let end = at
  while (end < text.length && !/\s/.test(text[end]!)) end += 1
  while (end > at && TRAILING.includes(text[end - 1]!)) end -= 1
  return end - at > scheme.length ? text.slice(at, end) : undefined
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
