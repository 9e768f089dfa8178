import type { FastifyRequest } from 'fastify'

export type RequestOrigin = { readonly address: string; readonly requestId: string }

export const getRequestOrigin = (request: Pick<FastifyRequest, 'ip' | 'id'>): RequestOrigin => ({
  address: request.ip,
  requestId: request.id,
})
