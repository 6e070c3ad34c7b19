import { tag, toParserKey } from '@dmp/dicom'
import type { DataSet } from 'dicom-parser'

/** Designators of public coding schemes (PS3.16 table 8-1): their meanings are printed in books. */
const publicSchemes = new Set(
  (
    'ACR ASTM-sigpurpose BARI BI C4 C5 CD2 CTV3 DC DCM DCMUID DCMUOM FMA HCPCS HPC I10 I10C I10P I11 I9 I9C ICDO3 ' +
    'IBSI ISO3166_1 ISO639_1 ISO639_2 ISO_OID ITIS_TSN LN MA MDC MDNS NCDR NCIt NDC NEU NICIP NPM NYUMCCG POS ' +
    'PUBCHEM_CID RADELEMENT RADLEX RFC3066 RFC5646 RO SCT SDM SNM3 SRT UBERON UCUM UMD UMLS UNS UPC'
  ).split(' '),
)

/** Whether the item's code belongs to a public scheme; others hold what a site or maker wrote. */
export const isStandardCode = (item: DataSet): boolean =>
  publicSchemes.has(item.string(toParserKey(tag.CodingSchemeDesignator))?.trim() ?? '')
