import sharp from 'sharp'

const bar = (x: number, y: number, width: number, fill = '#c9d3df') =>
  `<rect x="${x}" y="${y}" width="${width}" height="9" rx="4" fill="${fill}"/>`

const createPage = (content: string) =>
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="540">',
    '<rect width="960" height="540" fill="#f5f7fa"/>',
    '<rect width="110" height="540" fill="#0b1f3a"/>',
    '<rect x="110" width="850" height="40" fill="#ffffff"/>',
    ...[80, 110, 140, 170, 200].map((y) => bar(24, y, 62, '#5d7596')),
    bar(130, 16, 160),
    content,
    '</svg>',
  ].join('')

/** A knee drawn from shapes, so that it belongs to no person. */
const knee = [
  '<rect x="150" y="70" width="520" height="440" rx="6" fill="#05080d"/>',
  '<defs><radialGradient id="bone">',
  '<stop offset="0" stop-color="#8c97a3"/>',
  '<stop offset=".7" stop-color="#5a646f"/>',
  '<stop offset="1" stop-color="#161b21"/>',
  '</radialGradient></defs>',
  '<ellipse cx="410" cy="186" rx="150" ry="106" fill="url(#bone)"/>',
  '<ellipse cx="410" cy="402" rx="130" ry="98" fill="url(#bone)"/>',
  '<path d="M280 292 Q410 322 540 292" stroke="#2b333c" stroke-width="16" fill="none"/>',
  '<circle cx="575" cy="250" r="46" fill="#4b545e"/>',
].join('')

const tools = [
  '<rect x="690" y="70" width="240" height="440" rx="6" fill="#ffffff"/>',
  ...[100, 130, 160, 190, 220].map((y, index) => bar(710, y, 90 + index * 22)),
  '<rect x="710" y="300" width="200" height="6" rx="3" fill="#c9d3df"/>',
  '<circle cx="712" cy="303" r="9" fill="#0958d9"/>',
  '<ellipse cx="730" cy="303" rx="54" ry="36" fill="none" stroke="#cf1322" stroke-width="5"/>',
].join('')

const rows = Array.from({ length: 11 }, (_, index) => {
  const fill = index === 0 ? '#e8edf4' : '#ffffff'
  const cells = [150, 310, 450, 610, 760].map((x, column) =>
    bar(x, 86 + index * 40, 60 + ((index * 37 + column * 53) % 70)),
  )
  return `<rect x="130" y="${70 + index * 40}" width="800" height="39" fill="${fill}"/>${cells.join('')}`
}).join('')
const highlight = '<rect x="600" y="66" width="150" height="446" rx="8" fill="none" stroke="#cf1322" stroke-width="5"/>'

const drawings = { viewer: createPage(knee + tools), table: createPage(rows + highlight) } as const

/** Draws a screenshot as people attach it to a complaint. */
export const demoPicture = (name: keyof typeof drawings): Promise<Buffer> =>
  sharp(Buffer.from(drawings[name])).png({ palette: true }).toBuffer()
