import type { Settings } from './settings.ts'

/** The address that people use. `address` is where the server listens, when it does. */
export function ownUrl(settings: Settings, address?: unknown): string {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : settings.port
  const host = settings.host === '127.0.0.1' || settings.host === '0.0.0.0' ? 'localhost' : settings.host
  return settings.publicUrl ?? `http://${host}:${port}`
}
