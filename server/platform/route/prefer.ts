import type { FastifyRequest } from 'fastify'

/** True if the `Prefer` header contains this preference, e.g. `return=minimal` (RFC 7240). */
export function prefers({ headers }: Pick<FastifyRequest, 'headers'>, preference: string): boolean {
  const named = [headers.prefer ?? []].flat().flatMap((one) => one.split(','))
  return named.some((one) => one.trim().toLowerCase() === preference)
}
