import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compile } from './build.ts'
import { TextsPlugin } from './TextsPlugin.ts'

const words = {
  'Nothing is in the bin.': 'Nichts ist im Papierkorb.',
  'Nobody holds a study.': 'Niemand hält eine Studie fest.',
  'All studies are there.': 'Alle Studien sind da.',
}

it('the catalogue of a build has the texts of modules that were put together into one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-texts-'))
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  mkdirSync(path.join(folder, 'locales'))
  write('package.json', '{ "name": "texts" }')
  write('locales/de.json', JSON.stringify(words))
  // The screen is the root of what is put together, and its parts are in it alone.
  write('main.js', `void import('./screen.js').then(({ text }) => show(text, 'All studies are there.'))`)
  write('screen.js', `import { part } from './part.js'; export const text = ['Nothing is in the bin.', part()]`)
  write('part.js', `export const part = () => 'Nobody holds a study.'`)
  await compile({
    name: 'texts',
    mode: 'production',
    context: folder,
    target: ['web', 'es2022'],
    entry: './main.js',
    output: { path: path.join(folder, 'dist') },
    module: { rules: [{ test: /\.js$/, loader: path.join(import.meta.dirname, 'textsLoader.ts'), include: folder }] },
    plugins: [new TextsPlugin('texts')],
    cache: false,
  })
  expect(JSON.parse(readFileSync(path.join(folder, 'dist/texts/de.json'), 'utf8'))).toEqual(words)
})
