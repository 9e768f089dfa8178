/** Hours in which bids are accepted, `HH:mm` in Bangkok time. */
type BidSubmissionHours = { readonly from: string; readonly to: string }

/**
 * Parses `HH:mm` or `HH:mm-HH:mm` from the feed. Returns undefined for other text; the deadline is then the end of the
 * day.
 */
export function parseBidSubmissionHours(text: string | null): BidSubmissionHours | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)(?:-([01]\d|2[0-3]):([0-5]\d))?$/.exec(text?.trim() ?? '')
  if (!match) return undefined
  const from = `${match[1]}:${match[2]}`
  const to = match[3] === undefined ? from : `${match[3]}:${match[4]}`
  return to < from ? { from: to, to: from } : { from, to }
}
