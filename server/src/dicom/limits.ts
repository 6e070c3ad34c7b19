/**
 * Every bound on what one object may cost (P12, P18). The bounds of content leave room for the largest real objects: an
 * RT structure set of 12,000 contours has some 24,000 items and 100,000 elements, an enhanced image or a segmentation
 * about 12 items and 40 elements a frame.
 */
export interface DicomLimits {
  /** Everything before the pixel data; an RT structure set or a large enhanced multi-frame header is a few MB. */
  readonly headerBytes: number
  readonly inflatedBytes: number
  /** So many times its own size an object may inflate to, beyond `freelyInflatedBytes`; masks reach about 100. */
  readonly inflationRatio: number
  readonly freelyInflatedBytes: number
  /** Elements and items together. */
  readonly elements: number
  /** Items of sequences: each is a data set of its own for the parser, so that they cost the most. */
  readonly items: number
  readonly depth: number
  readonly fragments: number
  /**
   * What all values of the header take as objects of the program, counted before they are made: a name of one letter
   * takes a hundred times its size. A thread that meets its bound of memory in the middle of a value may end the
   * process.
   */
  readonly valueBytes: number
  /** The header as text, which the database keeps. */
  readonly jsonBytes: number
}

/** For objects that arrive. */
export const dicomLimits: DicomLimits = {
  headerBytes: 32 * 2 ** 20,
  inflatedBytes: 128 * 2 ** 20,
  inflationRatio: 200,
  freelyInflatedBytes: 16 * 2 ** 20,
  elements: 250_000,
  items: 60_000,
  depth: 32,
  fragments: 500_000,
  valueBytes: 128 * 2 ** 20,
  jsonBytes: 64 * 2 ** 20,
}

/**
 * For objects that the answering thread reads itself, as nearly all are: a slice of an image has a few hundred
 * elements,
 * which take less time than handing it to another thread. Deflated ones are never among them.
 */
export const smallDicomLimits: DicomLimits = {
  ...dicomLimits,
  headerBytes: 128 * 2 ** 10,
  inflatedBytes: 0,
  elements: 1000,
  items: 100,
  depth: 8,
  fragments: 500,
  valueBytes: 2 ** 20,
  jsonBytes: 256 * 2 ** 10,
}

/** For objects that are stored: those that an earlier version took in stay readable. */
export const storedDicomLimits: DicomLimits = {
  ...dicomLimits,
  inflationRatio: Infinity,
  elements: 300_000,
  items: 300_000,
  valueBytes: 256 * 2 ** 20,
  jsonBytes: Infinity,
}

export const readingLimits = {
  /** Threads that read objects; the system shares the processors among them. */
  threads: 4,
  threadsPerCustomer: 2,
  threadsPerPerson: 1,
  /** Objects of one person that may wait for a thread; further ones are refused. */
  waitingPerPerson: 256,
  /** Memory of one thread: the heaviest object within the limits needs about half of it. */
  threadMegabytes: 512,
  /** An idle thread is ended after this time, with its memory. */
  idleMs: 30_000,
  /** Objects that an earlier version took in, and copies, may take longer than those that arrive. */
  storedSecondsFactor: 3,
  /** Inflated copies of deflated objects on this machine's disk. */
  inflatedCopiesBytes: 2 ** 30,
  inflatedCopies: 64,
  /** Where the frames of recently read objects lie. */
  frameTablesBytes: 64 * 2 ** 20,
  /** One frame in memory, to be drawn: 8,000 × 8,000 pixels of two bytes fit. */
  frameBytes: 128 * 2 ** 20,
  /** Attributes of rows that are taken from the database at a time. */
  rowPageBytes: 2 ** 20,
  /** Searches of one person that may wait for the one that is being answered. */
  waitingSearches: 64,
  /** Headers that are taken from the database at a time, and text that is made of them at a time. */
  headerPageBytes: 4 * 2 ** 20,
  headerTextBytes: 4 * 2 ** 20,
  /** What is handed to the receiver at a time of such a text. */
  textPieceBytes: 2 ** 18,
  /** What a streamed response holds in memory, and one that is made of headers: a page of them, and their text. */
  streamBytes: 2 * 2 ** 20,
  headersBytes: 8 * 2 ** 20,
} as const
