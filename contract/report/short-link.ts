import { z } from 'zod/mini'
import type { ReportSearch } from './report-params.ts'

/** Characters without look-alikes, for reading aloud; ten of them are unguessable. */
const CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 10

export const isShortLinkCode = (text: string): boolean =>
  text.length === CODE_LENGTH && [...text].every((letter) => CODE_LETTERS.includes(letter))

/** Builds a code from `CODE_LENGTH` random bytes: 50 bits. */
export const shortLinkCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('')

export const shortLinkRequestSchema = z.object({ search: z.record(z.string(), z.string()) })
export const shortLinkSchema = z.object({ code: z.string() })
export const linkedSearchSchema = z.object({ search: z.record(z.string(), z.string()) })

/**
 * Returns the search to store in a short link, without saved filter, morning queue and page, which are personal or
 * temporary. Undefined for searches by labels, whose ids contain their names, or by colleagues, whose user ids must not
 * be disclosed to strangers: such a link stays long.
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
