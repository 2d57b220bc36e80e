/**
 * The ChaCha20 block function (RFC 8439, 2.3): the source of chance of the simulated market. A cipher and not a fast
 * generator, because its output is public second by second: from the prices nobody may find the state, and with it
 * the rest of the day. All arithmetic is on 32-bit integers, so every machine gets the same words.
 */
export function chachaBlock(
  key: Uint32Array,
  counter: number,
  nonce0: number,
  nonce1: number,
  nonce2: number,
  out: Uint32Array,
): void {
  const x = work;
  x[0] = 0x61707865;
  x[1] = 0x3320646e;
  x[2] = 0x79622d32;
  x[3] = 0x6b206574;
  for (let i = 0; i < 8; i += 1) x[4 + i] = key[i] as number;
  x[12] = counter;
  x[13] = nonce0;
  x[14] = nonce1;
  x[15] = nonce2;
  start.set(x);
  for (let round = 0; round < 10; round += 1) {
    quarter(x, 0, 4, 8, 12);
    quarter(x, 1, 5, 9, 13);
    quarter(x, 2, 6, 10, 14);
    quarter(x, 3, 7, 11, 15);
    quarter(x, 0, 5, 10, 15);
    quarter(x, 1, 6, 11, 12);
    quarter(x, 2, 7, 8, 13);
    quarter(x, 3, 4, 9, 14);
  }
  for (let i = 0; i < 16; i += 1) out[i] = (x[i] as number) + (start[i] as number);
}

// Scratch space: the function runs some fifteen times for each simulated second.
const work = new Int32Array(16);
const start = new Int32Array(16);

function quarter(x: Int32Array, a: number, b: number, c: number, d: number): void {
  let va = x[a] as number;
  let vb = x[b] as number;
  let vc = x[c] as number;
  let vd = x[d] as number;
  va = (va + vb) | 0;
  vd ^= va;
  vd = (vd << 16) | (vd >>> 16);
  vc = (vc + vd) | 0;
  vb ^= vc;
  vb = (vb << 12) | (vb >>> 20);
  va = (va + vb) | 0;
  vd ^= va;
  vd = (vd << 8) | (vd >>> 24);
  vc = (vc + vd) | 0;
  vb ^= vc;
  vb = (vb << 7) | (vb >>> 25);
  x[a] = va;
  x[b] = vb;
  x[c] = vc;
  x[d] = vd;
}
