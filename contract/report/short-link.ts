import { z } from 'zod/mini'
import type { ReportSearch } from './report-params.ts'

/** Contains no look-alike characters, so that a code can be read aloud; ten characters are unguessable. */
const CODE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 10

export const isShortLinkCode = (text: string): boolean =>
  text.length === CODE_LENGTH && [...text].every((letter) => CODE_ALPHABET.includes(letter))

export const createShortLinkCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('')

export const shortLinkRequestSchema = z.object({ search: z.record(z.string(), z.string()) })
export const shortLinkSchema = z.object({ code: z.string() })
export const shortLinkSearchSchema = z.object({ search: z.record(z.string(), z.string()) })

/**
 * Returns the search to store in a short link, without saved filter, morning queue and page, which are personal or
 * temporary. Undefined (the link stays long) for searches by labels, whose ids contain their names, or by colleagues,
 * whose user ids must not be disclosed to strangers.
 */
export function toShareableSearch({
  saved: _saved,
  queue: _queue,
  page: _page,
  ...search
}: ReportSearch): ReportSearch | undefined {
  const isPersonal =
    search.project_label__in !== undefined ||
    search.team_label__in !== undefined ||
    search.pursuit_owner__in !== undefined
  return isPersonal ? undefined : search
}
