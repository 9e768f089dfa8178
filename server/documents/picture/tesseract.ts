import { execFile, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { UnreadableDocumentReason } from '#contract/documents/document.ts'
import { enforceProcessLimits } from '#server/documents/watched-process.ts'

/** CPU limit of one page; an A4 page takes 1 to 16 s of one core and 150 MB. */
const MAX_CPU_SECONDS = 90
const MAX_MEMORY_BYTES = 768 * 2 ** 20
const MAX_OUTPUT_BYTES = 2 ** 20
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' }
const LANGUAGES = 'tha+eng'
const PROBE_TIMEOUT_MS = 10_000

export type TesseractBinary = { readonly file: string }

/**
 * Finds tesseract at the configured path, otherwise on PATH. Undefined if it is missing or has no Thai data.
 * @param searched folders as in PATH
 */
export async function findTesseract({
  path: set,
  searched,
}: {
  readonly path: string | undefined
  readonly searched: string
}): Promise<TesseractBinary | undefined> {
  const files =
    set === undefined ? searched.split(path.delimiter).map((folder) => path.join(folder, 'tesseract')) : [set]
  for (const file of files) {
    if (!path.isAbsolute(file)) continue
    try {
      await access(file, constants.X_OK)
      const { stdout } = await promisify(execFile)(file, ['--list-langs'], {
        env: ENVIRONMENT,
        timeout: PROBE_TIMEOUT_MS,
      })
      const languages = stdout.split('\n').map((line) => line.trim())
      if (languages.includes('tha') && languages.includes('eng')) return { file }
    } catch {
      // The program is missing, is not executable, or is another program with that name.
    }
  }
  return undefined
}

/**
 * Recognises text in an image. The input is raw grey pixels that we produced, so an image decoder written in C never
 * parses an untrusted file.
 * @param picture path of a P5 file
 * @throws the reason of `signal` when the signal aborts first; the system error when tesseract cannot be started.
 */
export async function recogniseText(
  { file }: TesseractBinary,
  picture: string,
  signal?: AbortSignal,
): Promise<{ readonly text: string } | { readonly reason: UnreadableDocumentReason }> {
  const child = spawn(file, [picture, 'stdout', '-l', LANGUAGES, '--psm', '1', '--dpi', '300'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ENVIRONMENT,
  })
  const result = await enforceProcessLimits(child, {
    signal,
    seconds: MAX_CPU_SECONDS,
    memoryBytes: MAX_MEMORY_BYTES,
    answerBytes: MAX_OUTPUT_BYTES,
  })
  return 'reason' in result ? result : { text: result.output.toString('utf8') }
}
