import type { FastifyRequest } from 'fastify'

/** True if the `Prefer` header contains this preference, e.g. `return=minimal` (RFC 7240). */
export function hasPreferHeader({ headers }: Pick<FastifyRequest, 'headers'>, preference: string): boolean {
  const preferences = [headers.prefer ?? []].flat().flatMap((value) => value.split(','))
  return preferences.some((item) => item.trim().toLowerCase() === preference)
}
