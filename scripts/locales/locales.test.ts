import { checkCatalogue } from './locales.ts'

describe('a catalogue', () => {
  it('is in the order that the command writes, so that a second run changes nothing', () => {
    const texts = ['Save', 'Cancel', 'Close']
    expect(checkCatalogue(texts, { Save: 'Sichern', Cancel: 'Abbrechen', Close: 'Schließen' }, 'de.json')).toEqual([])
    expect(checkCatalogue(texts, { Cancel: 'Abbrechen', Save: 'Sichern', Close: 'Schließen' }, 'de.json')).toEqual([
      'de.json: “Cancel” is not where the sources have it: npm run locales.',
    ])
  })

  it('says of a text that is new or gone that alone, and not also its order', () => {
    expect(checkCatalogue(['Save', 'Close'], { Save: 'Sichern', Cancel: 'Abbrechen' }, 'de.json')).toEqual([
      'de.json: “Close” is not translated: npm run locales, then write it there.',
      'de.json: nothing says “Cancel” any more.',
    ])
  })
})
