/**
 * Measures a page from inside. `installProbe` runs in the browser before any page script, so it must not use anything
 * outside itself.
 */
export type Probe = {
  /** Starts waiting for the next click and its effect; call `result` afterwards. */
  watch(kind: 'rows' | 'pressed'): void
  /**
   * Time from the click until the change is painted, and until the next frame according to the browser's Event Timing
   * (null below its 16 ms).
   */
  result(): Promise<{ painted: number; frame: number | null }>
  startFrames(): void
  /** Gaps between frames and the browser's long animation frames since `startFrames`, in ms. */
  stopFrames(): { gaps: number[]; long: number[] }
  load(): { largestPaint: number; blocked: number }
}

declare global {
  interface Window {
    probe: Probe
  }
}

export function installProbe(): void {
  /** Resolves two frames later, when a change is certainly on screen. */
  const painted = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
    })
  /**
   * Returns a text that changes with every search: rows, result count and active filters. The rows alone may be the
   * same for another filter, and fast responses never show the busy state.
   */
  const rowKey = () =>
    [
      ...[...document.querySelectorAll('main tr[data-index], main article')].map(
        (row) => /\d{11}/.exec(row.textContent ?? '')?.[0],
      ),
      document.querySelector('main caption')?.textContent,
      document.querySelector('main [aria-label="ตัวกรองที่ใช้อยู่"]')?.textContent,
    ].join()
  const isBusy = () => document.querySelector('main [aria-busy="true"]') !== null
  const pressed = () =>
    [...document.querySelectorAll('main [aria-pressed]')].map((button) => button.getAttribute('aria-pressed')).join()

  let answer: Promise<{ painted: number; frame: number | null }>
  let frames: { gaps: number[]; last: number; on: boolean } = { gaps: [], last: 0, on: false }
  const long: number[] = []
  const events: { at: number; duration: number }[] = []
  const load = { largestPaint: 0, firstPaint: 0, tasks: [] as { start: number; duration: number }[] }

  const observe = (type: string, use: (entry: PerformanceEntry) => void, more: object = {}) => {
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true, ...more })
  }
  observe('long-animation-frame', (entry) => frames.on && long.push(entry.duration))
  observe('largest-contentful-paint', (entry) => {
    load.largestPaint = entry.startTime
  })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') load.firstPaint = entry.startTime
  })
  observe('longtask', ({ startTime, duration }) => load.tasks.push({ start: startTime, duration }))
  observe(
    'event',
    (entry) => entry.name === 'click' && events.push({ at: entry.startTime, duration: entry.duration }),
    {
      durationThreshold: 16,
    },
  )

  window.probe = {
    watch(kind) {
      const read = kind === 'rows' ? rowKey : pressed
      const before = read()
      answer = new Promise((resolve) => {
        let clickedAt: number | undefined
        let wasBusy = false
        const check = async () => {
          wasBusy ||= isBusy()
          const isThere = kind === 'pressed' ? read() !== before : !isBusy() && (read() !== before || wasBusy)
          if (clickedAt === undefined || !isThere) return
          observer.disconnect()
          const end = await painted()
          // The browser delivers its Event Timing entry slightly later.
          setTimeout(() => {
            const event = events.find(({ at }) => Math.abs(at - clickedAt!) < 1)
            resolve({ painted: end - clickedAt!, frame: event?.duration ?? null })
          }, 150)
        }
        const observer = new MutationObserver(() => void check())
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
        document.addEventListener('click', (event) => (clickedAt ??= event.timeStamp), { capture: true, once: true })
      })
    },
    result: () => answer,
    startFrames() {
      frames = { gaps: [], last: performance.now(), on: true }
      long.length = 0
      const note = (now: number) => {
        if (!frames.on) return
        frames.gaps.push(now - frames.last)
        frames.last = now
        requestAnimationFrame(note)
      }
      requestAnimationFrame((now) => {
        frames.last = now
        requestAnimationFrame(note)
      })
    },
    stopFrames() {
      frames.on = false
      return { gaps: frames.gaps, long: [...long] }
    },
    load: () => ({
      largestPaint: load.largestPaint,
      // Total blocking time: the part of each long task beyond 50 ms, from the first paint on.
      blocked: load.tasks
        .filter(({ start }) => start >= load.firstPaint)
        .reduce((sum, { duration }) => sum + duration - 50, 0),
    }),
  }
}
