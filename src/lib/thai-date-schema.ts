import { z } from 'zod/mini'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'

/** Schema of a typed Thai date. The output is an ISO date, null if the field is empty. */
export const thaiDateSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    if (text.trim() === '') return null
    const entry = parseThaiDate(text, getBangkokToday(new Date()))
    if (entry.ok) return entry.iso
    context.issues.push({ code: 'custom', input: text, message: entry.message })
    return z.NEVER
  }),
)
