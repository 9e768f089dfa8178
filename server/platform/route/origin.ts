import type { FastifyRequest } from 'fastify'

/** Client address and log request id, for the audit trail and rate limits. */
export type Origin = { readonly address: string; readonly requestId: string }

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>): Origin => ({
  address: request.ip,
  requestId: request.id,
})
