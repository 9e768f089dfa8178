import { z } from 'zod/mini'

/** One tracked field that changed in the load shown (D3). Values are the wire form of the field. */
export const fieldChangeSchema = z.object({
  field: z.string(),
  old: z.nullable(z.string()),
  new: z.nullable(z.string()),
  seen_at: z.string(),
})
export type FieldChange = z.output<typeof fieldChangeSchema>
