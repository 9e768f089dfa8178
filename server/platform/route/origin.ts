import type { FastifyRequest } from 'fastify'

/** Where a request came from, for the trail and for limits: network address, and the number that its log line has. */
export type Origin = { readonly address: string; readonly requestId: string }

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>): Origin => ({
  address: request.ip,
  requestId: request.id,
})
