import { z } from 'zod/mini'
import type { ReportSearch } from './report-params.ts'

/** Ten of these letters: what nobody can guess, and nobody confuses when it is read out. */
const CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 10

/** Whether a text can be the code of a short link at all. */
export const isShortLinkCode = (text: string): boolean =>
  text.length === CODE_LENGTH && [...text].every((letter) => CODE_LETTERS.includes(letter))

/** A code from `CODE_LENGTH` random bytes: 50 bits. */
export const shortLinkCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('')

/** `POST /short-links` with a search of the report as its address has it. */
export const shortLinkRequestSchema = z.object({ search: z.record(z.string(), z.string()) })
export const shortLinkSchema = z.object({ code: z.string() })
/** `GET /short-links/{code}`: the search to open /report with. */
export const linkedSearchSchema = z.object({ search: z.record(z.string(), z.string()) })

/**
 * What a short link of this search holds: without the saved filter that it came from, the morning queue and the page, which are the
 * user's own or do not last. Undefined where the result is made of the user's or the team's labels, whose ids hold their names, or of colleagues, whose numbers are no
 * stranger's business: such a link stays a long one.
 */
export function sharedSearch({
  saved: _saved,
  queue: _queue,
  page: _page,
  ...search
}: ReportSearch): ReportSearch | undefined {
  const isOwn =
    search.project_label__in !== undefined ||
    search.team_label__in !== undefined ||
    search.pursuit_owner__in !== undefined
  return isOwn ? undefined : search
}
