import { MAIL_FOOTER } from './mail-frame.ts'

/** Maximum size of the HTML. Gmail clips HTML beyond 102 kB, which would also cut off the unsubscribe link. */
export const MAX_MAIL_HTML_BYTES = 90_000

export type MailFragment = { readonly html: string; readonly text: string }

export type MailList = {
  readonly before?: MailFragment
  readonly items: readonly MailFragment[]
  /** Returns the line that states how many items were omitted and where to see them. Also called with 0. */
  readonly rest: (omitted: number) => MailFragment
  readonly wrap?: (html: string) => string
  readonly separator: string
}
export type MailSegment = MailFragment | MailList

const EMPTY: MailFragment = { html: '', text: '' }
const isList = (part: MailSegment): part is MailList => 'items' in part
const bytes = (html: string) => Buffer.byteLength(html)

/**
 * Assembles an email. If the HTML would exceed `MAX_MAIL_HTML_BYTES`, drops items from the end of the longest list
 * first. `page` wraps a body into the HTML of the whole email.
 */
export function assembleMail(parts: readonly MailSegment[], page: (body: string) => string): MailFragment {
  const lists = parts.filter(isList).map((list) => {
    const sizes = list.items.map(({ html }) => bytes(html) + 1)
    return { list, sizes, total: sizes.reduce((sum, size) => sum + size, 0), shown: list.items.length }
  })
  const fixed = parts.map((part) => (isList(part) ? printList(part, 0) : part))
  let bytesLeft =
    MAX_MAIL_HTML_BYTES - bytes(page(joinPieces(fixed).html)) - lists.reduce((sum, { total }) => sum + total, 0)
  while (bytesLeft < 0) {
    const longest = lists.reduce((a, b) => (b.total > a.total ? b : a), lists[0]!)
    if (longest === undefined || longest.shown === 0) break
    longest.shown -= 1
    const size = longest.sizes[longest.shown]!
    longest.total -= size
    bytesLeft += size
  }
  const shownCounts = new Map(lists.map((entry) => [entry.list, entry.shown]))
  const { html, text } = joinPieces(
    parts.map((part) => (isList(part) ? printList(part, shownCounts.get(part)!) : part)),
  )
  return { html: page(html), text: `${text}\n\n${MAIL_FOOTER.join('\n')}\n` }
}

function printList(
  { before = EMPTY, items, rest, wrap = (html) => html, separator }: MailList,
  count: number,
): MailFragment {
  const visible = items.slice(0, count)
  const more = rest(items.length - count)
  return {
    html: [before.html, wrap(visible.map(({ html }) => html).join('\n')), more.html].filter(Boolean).join('\n'),
    text: [before.text, visible.map(({ text }) => text).join(separator), more.text].filter(Boolean).join('\n\n'),
  }
}

const joinPieces = (pieces: readonly MailFragment[]): MailFragment => ({
  html: pieces.map(({ html }) => html).join('\n'),
  text: pieces
    .map(({ text }) => text)
    .filter(Boolean)
    .join('\n\n'),
})
