/** Order matters: Edge and Opera also claim to be Chrome, and Chrome claims to be Safari. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bLine\//, 'LINE'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
/** Order matters: Android and iPhone user agents also mention Linux and Mac OS. */
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export function formatDevice(userAgent: string | null): string {
  const findName = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  const browser = findName(BROWSERS)
  const system = findName(SYSTEMS)
  if (browser && system) return `${browser} บน ${system}`
  return browser ?? system ?? 'อุปกรณ์ที่ไม่รู้จัก'
}
