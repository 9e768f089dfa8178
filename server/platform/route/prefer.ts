import type { FastifyRequest } from 'fastify'

/** Whether the `Prefer` header of a request names this preference, e.g. `return=minimal`, among its own (RFC 7240). */
export function prefers({ headers }: Pick<FastifyRequest, 'headers'>, preference: string): boolean {
  const named = [headers.prefer ?? []].flat().flatMap((one) => one.split(','))
  return named.some((one) => one.trim().toLowerCase() === preference)
}
