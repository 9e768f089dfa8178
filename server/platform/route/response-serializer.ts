import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { type $ZodType, compile, safeParse } from 'zod/v4/core'
import { stripDirectionMarks } from '#contract/direction-marks.ts'

/**
 * Validates a response against its schema, drops unknown fields and serializes it as JSON. The schema is compiled on
 * first use, because interpreting it per response took 5 % of a busy server. A schema must not transform values
 * (`codec`): they would be decoded instead of encoded. Also strips direction marks from all text that a screen shows.
 * Throws `ResponseSerializationError`.
 */
export const responseSerializer: FastifySerializerCompiler<$ZodType> = ({ schema, method, url }) => {
  let compiled: $ZodType | undefined
  return (payload) => {
    compiled ??= compile(schema)
    const result = safeParse(compiled, payload)
    if (!result.success) throw new ResponseSerializationError(method, url, { cause: result.error })
    return stripDirectionMarks(JSON.stringify(result.data))
  }
}
