import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'

// sun_path is limited to 108 bytes on Linux and 104 on macOS.
const LONGEST = 100

/**
 * Returns the control socket of the server of this data folder: inside the folder, unless that path is too long for a
 * socket.
 */
export function controlSocketPath(dataDir: string): string {
  const inside = path.resolve(dataDir, 'control.sock')
  if (process.platform !== 'win32' && Buffer.byteLength(inside) <= LONGEST) return inside
  const name = `tamngan-${createHash('sha256').update(inside).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`)
}
