import { execFile, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { UnreadableReason } from '#contract/documents/document.ts'
import { watchProcess } from '#server/documents/watched-process.ts'

/** A page of A4 takes 1 to 16 s of a core and 150 MB. */
const SECONDS = 90
const MEMORY_BYTES = 768 * 2 ** 20
const ANSWER_BYTES = 2 ** 20
/** One core, whatever it finds; and the number by which Debian's and others' Thai data are called. */
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' }
const LANGUAGES = 'tha+eng'
const PROBE_MS = 10_000

/** A program that reads pictures: tesseract with its Thai data. */
export type Tesseract = { readonly file: string }

/**
 * Finds tesseract: at the path that a setting says, else on the search path of programs. Undefined where there is none, or where it has no Thai data.
 * @param searched folders as in PATH
 */
export async function findTesseract({
  path: set,
  searched,
}: {
  readonly path: string | undefined
  readonly searched: string
}): Promise<Tesseract | undefined> {
  const files =
    set === undefined ? searched.split(path.delimiter).map((folder) => path.join(folder, 'tesseract')) : [set]
  for (const file of files) {
    if (!path.isAbsolute(file)) continue
    try {
      await access(file, constants.X_OK)
      const { stdout } = await promisify(execFile)(file, ['--list-langs'], { env: ENVIRONMENT, timeout: PROBE_MS })
      const languages = stdout.split('\n').map((line) => line.trim())
      if (languages.includes('tha') && languages.includes('eng')) return { file }
    } catch {
      // Not there, not ours to run, or not what it is called.
    }
  }
  return undefined
}

/**
 * The letters in a picture. It is given grey dots that we made and nothing of the file itself, so no reader of pictures that is written in C meets what strangers made.
 * @param picture path of a P5 file
 * @throws the reason of `signal` when it ends first; the error of the system when tesseract cannot be started.
 */
export async function recognise(
  { file }: Tesseract,
  picture: string,
  signal?: AbortSignal,
): Promise<{ readonly text: string } | { readonly reason: UnreadableReason }> {
  const child = spawn(file, [picture, 'stdout', '-l', LANGUAGES, '--psm', '1', '--dpi', '300'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: ENVIRONMENT,
  })
  const seen = await watchProcess(child, {
    signal,
    seconds: SECONDS,
    memoryBytes: MEMORY_BYTES,
    answerBytes: ANSWER_BYTES,
  })
  return 'reason' in seen ? seen : { text: seen.output.toString('utf8') }
}
