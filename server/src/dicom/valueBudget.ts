import { DicomRefusal } from './refusal.ts'

/** What V8 takes for each, rounded up. */
const elementBytes = 160
const numberBytes = 8
const textBytes = 32
const nameBytes = 128
const backslash = 0x5c

/** What the values of one header may take in memory; each is counted before it is made. */
export class ValueBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** The element itself; of a sequence, each item holds elements. */
  spendOnElement(): void {
    this.#spend(elementBytes)
  }

  spendOnNumbers(vr: string, count: number): void {
    this.#spend(count * (vr === 'AT' || vr === 'SV' || vr === 'UV' ? textBytes + numberBytes : numberBytes))
  }

  spendOnTexts(vr: string, bytes: Uint8Array): void {
    let values = 1
    for (let at = bytes.indexOf(backslash); at >= 0; at = bytes.indexOf(backslash, at + 1)) values += 1
    const each = vr === 'PN' ? nameBytes : vr === 'DS' || vr === 'IS' ? numberBytes : textBytes
    this.#spend(bytes.length + values * each)
  }

  /** In base64. */
  spendOnBinary(length: number): void {
    this.#spend((length * 4) / 3)
  }

  #spend(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw new DicomRefusal('TOO_LARGE', 'The header has more values than the server takes into memory.')
  }
}
