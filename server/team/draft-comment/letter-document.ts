import { escapeXmlText } from '#server/platform/workbook/sheet-xml.ts'
import { streamZipFile } from '#server/platform/workbook/stream-zip-file.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

/** The typeface of Thai official letters; Word substitutes a Thai one where it is not installed. In half points. */
const TYPEFACE = 'TH SarabunPSK'
const SIZE = 32
/** A4 and margins of 2.5 and 2 cm, in twentieths of a point. */
const PAGE = { width: 11_906, height: 16_838, side: 1_417, edge: 1_134 }
/** Distance between tab stops: 2.5 cm, in twentieths of a point. */
const TAB = 1_417

const RUN_STYLE = `<w:rPr><w:rFonts w:ascii="${TYPEFACE}" w:hAnsi="${TYPEFACE}" w:cs="${TYPEFACE}"/><w:sz w:val="${SIZE}"/><w:szCs w:val="${SIZE}"/><w:lang w:val="th-TH" w:bidi="th-TH"/></w:rPr>`

const runOf = (text: string) =>
  `<w:r>${RUN_STYLE}${text
    .split('\t')
    .map((part) => (part === '' ? '' : `<w:t xml:space="preserve">${escapeXmlText(part)}</w:t>`))
    .join('<w:tab/>')}</w:r>`
const paragraphOf = (line: string) =>
  `<w:p><w:pPr><w:spacing w:before="0" w:after="0"/></w:pPr>${line === '' ? '' : runOf(line)}</w:p>`

export function writeLetterDocument(text: string): AsyncIterable<Buffer> {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const size = `<w:pgSz w:w="${PAGE.width}" w:h="${PAGE.height}"/>`
  const margins = `<w:pgMar w:top="${PAGE.edge}" w:right="${PAGE.edge}" w:bottom="${PAGE.edge}" w:left="${PAGE.side}" w:header="0" w:footer="0" w:gutter="0"/>`
  return streamZipFile([
    {
      path: '[Content_Types].xml',
      text: [
        `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/>`,
        `<Override PartName="/word/settings.xml" ContentType="${MAIN_TYPE.replace('document.main', 'settings')}"/></Types>`,
      ],
    },
    {
      path: '_rels/.rels',
      text: [
        `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
      ],
    },
    {
      path: 'word/_rels/document.xml.rels',
      text: [
        `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/settings" Target="settings.xml"/></Relationships>`,
      ],
    },
    {
      path: 'word/settings.xml',
      text: [`${XML}<w:settings xmlns:w="${WORD}"><w:defaultTabStop w:val="${TAB}"/></w:settings>`],
    },
    {
      path: 'word/document.xml',
      text: [
        `${XML}<w:document xmlns:w="${WORD}"><w:body>`,
        ...lines.map(paragraphOf),
        `<w:sectPr>${size}${margins}</w:sectPr></w:body></w:document>`,
      ],
    },
  ])
}
