import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Files below this size are not compressed, because that would not save a network packet. */
const COMPRESSION_THRESHOLD_BYTES = 1024
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt)$/

export function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(dir, name))
    .filter((file) => statSync(file).isFile())
}

/** Deletes source maps from the build, and writes `.br` and `.gz` next to every text file that shrinks. */
export function precompress(dist: string): { files: number; bytes: number } {
  let files = 0
  let bytes = 0
  for (const file of listFiles(dist)) {
    if (file.endsWith('.map')) {
      // Operators upload maps to the error tracker; serving them would publish the sources.
      rmSync(file)
      continue
    }
    if (!COMPRESSIBLE.test(file)) continue
    const content = readFileSync(file)
    if (content.length < COMPRESSION_THRESHOLD_BYTES) continue
    const brotli = brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    })
    const gzip = gzipSync(content, { level: 9 })
    if (brotli.length < content.length) writeFileSync(`${file}.br`, brotli)
    if (gzip.length < content.length) writeFileSync(`${file}.gz`, gzip)
    files += 1
    bytes += brotli.length
  }
  return { files, bytes }
}

if (import.meta.main) {
  const { files, bytes } = precompress(path.join(import.meta.dirname, '..', 'dist'))
  console.log(`precompressed ${files} files, ${(bytes / 1000).toFixed(0)} kB with brotli`)
}
