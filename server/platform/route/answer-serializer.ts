import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { type $ZodType, compile, safeParse } from 'zod/v4/core'
import { stripDirectionMarks } from '#contract/direction-marks.ts'

/**
 * Checks an answer against its schema, leaves out what that does not name, and writes it as JSON. The schema is made into a function when it is first
 * needed: walking it for each answer was 5 % of a busy server. Answers hold JSON values alone, so a schema reads and writes the same; one that turns
 * values into others (`codec`) would be read, not written. Direction marks are removed here, once for every text of others that a screen shows. Throws
 * `ResponseSerializationError`.
 */
export const answerSerializer: FastifySerializerCompiler<$ZodType> = ({ schema, method, url }) => {
  let compiled: $ZodType | undefined
  return (answer) => {
    compiled ??= compile(schema)
    const result = safeParse(compiled, answer)
    if (!result.success) throw new ResponseSerializationError(method, url, { cause: result.error })
    return stripDirectionMarks(JSON.stringify(result.data))
  }
}
