import { stripDirectionMarks } from '#contract/direction-marks.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for element content and quoted attributes (R35). */
export function escapeHtml(text: string): string {
  return stripDirectionMarks(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/** The product's colours (src/styles.css), light and dark. A test checks their contrast. */
export const MAIL_COLOURS = {
  light: {
    page: '#f1f5f9',
    card: '#ffffff',
    ink: '#0f172a',
    muted: '#475569',
    accent: '#0f766e',
    button: '#0f766e',
    onButton: '#ffffff',
    soft: '#f0fdfa',
    line: '#e2e8f0',
    urgent: '#be123c',
    code: '#f1f5f9',
  },
  dark: {
    page: '#020617',
    card: '#0f172a',
    ink: '#f1f5f9',
    muted: '#a9b6c8',
    accent: '#2dd4bf',
    button: '#2dd4bf',
    onButton: '#042f2e',
    soft: '#0b2b33',
    line: '#334155',
    urgent: '#fda4af',
    code: '#1e293b',
  },
} as const
const { light, dark } = MAIL_COLOURS

/** Colours of the header band, the same in light and dark mode. The band is text, because mail clients block images. */
export const MAIL_HEADER_COLOURS = { ground: '#0f766e', ink: '#ffffff' } as const

export const MAIL_FOOTER = ['ตามงาน – ติดตามงานจัดซื้อจัดจ้างภาครัฐ', 'อีเมลนี้ส่งโดยอัตโนมัติ ไม่ต้องตอบกลับ']

/**
 * The product's font if installed, otherwise the system's Thai font on Android, Windows, macOS or Linux, because emails
 * load no fonts.
 */
export const MAIL_FONT = "'Anuphan','Noto Sans Thai','Leelawadee UI','Thonburi','Sarabun',Tahoma,sans-serif"
const FONT = `font-family:${MAIL_FONT};`

/**
 * Styles for the email. Light colours are set by classes and, where text would be unreadable in clients that ignore
 * classes, also inline. Dark colours are set only by classes.
 */
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body,.card{-webkit-text-size-adjust:100%}
.card{overflow-wrap:anywhere}
.card{color:${light.ink}}
.note,.m{color:${light.muted}}
a.l{color:${light.accent};text-decoration:none}
a.l:hover,.sentence a.l{text-decoration:underline}
.due{color:${light.ink};font-weight:600}
.urgent{color:${light.urgent}}
.row{padding:12px 0;border-top:1px solid ${light.line}}
.m{font-size:14px;line-height:1.6}
.box{background:${light.soft};border-radius:8px;padding:12px 14px;margin:0 0 12px}
a.act{display:inline-block;padding:5px 14px 5px 0;white-space:nowrap}
.tag{color:${light.accent};font-weight:600}
h2{margin:28px 0 8px;font-size:18px;line-height:1.5}
@media (max-width: 480px) {
.outer{padding:0 0 20px !important}
.card{border-radius:0 !important}
.brand{padding:12px 16px !important;border-radius:0 !important}
.in{padding:20px 16px 14px !important}
.note-outer{padding:0 16px !important}
.button{display:block !important;text-align:center !important}
a.act{padding:11px 16px 11px 0 !important}
}
@media (prefers-color-scheme: dark) {
.page{background:${dark.page} !important}
.card{background:${dark.card} !important;color:${dark.ink} !important}
.note,.m{color:${dark.muted} !important}
.code{background:${dark.code} !important;color:${dark.ink} !important}
.button{background:${dark.button} !important;color:${dark.onButton} !important}
a.l,.tag{color:${dark.accent} !important}
.due{color:${dark.ink} !important}
.urgent{color:${dark.urgent} !important}
.row{border-color:${dark.line} !important}
.box{background:${dark.soft} !important}
}
`

export function renderMailPage(mail: {
  readonly subject: string
  readonly preview: string
  readonly body: string
  readonly footer?: string
  readonly width?: number
}): string {
  const { subject, preview, body, footer = '', width = 560 } = mail
  return `<!doctype html>
<html lang="th">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<base target="_blank">
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page}"><tr><td class="outer" align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:${width}px;background:${light.card};border-radius:12px;color:${light.ink};${FONT}font-size:16px;line-height:1.7"><tr><td class="brand" bgcolor="${MAIL_HEADER_COLOURS.ground}" style="padding:14px 28px;background:${MAIL_HEADER_COLOURS.ground};color:${MAIL_HEADER_COLOURS.ink};border-radius:12px 12px 0 0;font-size:20px;line-height:1.6;font-weight:700">ตามงาน</td></tr><tr><td class="in" style="padding:28px 28px 20px">
${body}
</td></tr></table>
<div class="note note-outer" style="margin:16px 0 0;max-width:${width}px;${FONT}font-size:13px;line-height:1.7;color:${light.muted}">${footer}${MAIL_FOOTER.map(escapeHtml).join('<br>')}</div>
</td></tr></table>
</body>
</html>
`
}

/** Collapses text to one line: a line break in a name must not break the subject header (R35). */
export const collapseToOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
