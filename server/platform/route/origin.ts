import type { FastifyRequest } from 'fastify'

export type Origin = { readonly address: string; readonly requestId: string }

export const originOf = (request: Pick<FastifyRequest, 'ip' | 'id'>): Origin => ({
  address: request.ip,
  requestId: request.id,
})
