'use strict'
void import('./dmp.mjs')
