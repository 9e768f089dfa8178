import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'

// sun_path is limited to 108 bytes on Linux and 104 on macOS.
const MAX_PATH_BYTES = 100

/**
 * Returns the control socket of the server of this data folder: inside the folder, unless that path is too long for a
 * socket.
 */
export function getControlSocketPath(dataDir: string): string {
  const defaultPath = path.resolve(dataDir, 'control.sock')
  if (process.platform !== 'win32' && Buffer.byteLength(defaultPath) <= MAX_PATH_BYTES) return defaultPath
  const name = `tamngan-${createHash('sha256').update(defaultPath).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : path.join(tmpdir(), `${name}.sock`)
}
