import { z } from 'zod/mini'

/** A tracked field that changed in the displayed load (D3). Values have the format of the API. */
export const fieldChangeSchema = z.object({
  field: z.string(),
  old: z.nullable(z.string()),
  new: z.nullable(z.string()),
  seen_at: z.string(),
})
export type FieldChange = z.output<typeof fieldChangeSchema>
