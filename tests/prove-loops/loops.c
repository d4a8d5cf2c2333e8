// Small sequential loops, each written after a known one, for the ranking engine alone.
// `ends` or `runs` says whether the loop ends for all integers without bounds.
int nondet(void);

// ends: Podelski, Rybalchenko 2004
void loop_001(int x) { while (x >= 0) x = x - 1; }

// ends: Podelski, Rybalchenko 2004
void loop_002(int x, int y) { while (x - y > 0) { x = -x; y = nondet(); x = -x; if (y < 0) y = 0; x = x - 1; } }

// ends: Podelski, Rybalchenko 2004
void loop_003(int x, int y) { while (x >= 0) { x = x + y; if (y >= 0) return; } }

// ends: Podelski, Rybalchenko 2004
void loop_004(int x, int y) { while (x > y) x = x - 1; }

// ends: Podelski, Rybalchenko 2004
void loop_005(int x, int y) { while (x > y) y = y + 1; }

// ends: Podelski, Rybalchenko 2004
void loop_006(int x) { while (x > 0) { x = x - 2; } }

// ends: Podelski, Rybalchenko 2004
void loop_007(int x) { while (x < 100) x = x + 3; }

// ends: Podelski, Rybalchenko 2004
void loop_008(int x, int y) { while (x > 0 && y > 0) { if (nondet()) x = x - 1; else y = y - 1; } }

// ends: Bradley, Manna, Sipma 2005
void loop_009(int x, int y) { while (x > 0 && y > 0) { if (nondet()) { x = x - 1; y = nondet(); } else y = y - 1; } }

// ends: Bradley, Manna, Sipma 2005
void loop_010(int x, int y) { while (x >= 0 && y >= 0) { if (nondet()) { x = x - 1; y = y + 10; } else { y = y - 1; } } }

// ends: Bradley, Manna, Sipma 2005
void loop_011(int x, int y) { if (y <= 0) return; while (x >= y) x = x - y; }

// ends: Bradley, Manna, Sipma 2005
void loop_012(int x, int y) { if (x <= 0 || y <= 0) return; while (x != y) { if (x > y) x = x - y; else y = y - x; } }

// ends: Colón, Sipma 2002
void loop_013(int x) { while (x <= 100) { if (nondet()) x = -2 * x + 105; else x = x + 5; if (x < 0) return; if (nondet()) return; x = x + 0; if (x <= 100) x = 101; } }

// ends: Colón, Sipma 2002
void loop_014(int x, int y) { while (x + y > 0) { x = x - 1; y = y - 1; } }

// ends: Colón, Sipma 2002
void loop_015(int x, int y) { while (x > 0) { while (y > 0) y = y - 1; x = x - 1; } }

// ends: Colón, Sipma 2002
void loop_016(int x, int y) { int i = 0; while (i < x) { int j = 0; while (j < y) j++; i++; } }

// ends: Alias, Darte, Feautrier, Gonnord 2010
void loop_017(int x) { int i = x; while (i > 0) { int j = i; while (j > 0) j--; i--; } }

// ends: Alias, Darte, Feautrier, Gonnord 2010
void loop_018(int x, int y) { int i = 0; while (i < x) { if (nondet()) i++; else { i++; y--; } } }

// ends: Alias, Darte, Feautrier, Gonnord 2010
void loop_019(int x, int y) { int i = x, j = y; while (i > 0) { if (nondet()) { i--; j = y; } else if (j > 0) j--; else return; } }

// ends: Alias, Darte, Feautrier, Gonnord 2010
void loop_020(int x, int y) { while (x >= 0) { y = 1; while (y < x) y = 2 * y; x = x - 1; } }

// ends: Alias, Darte, Feautrier, Gonnord 2010
void loop_021(int x) { int i = 0, j = 0; while (i < x) { j = i + 1; while (j < x) { if (nondet()) { j = j - 1; x = x - 1; } j = j + 1; } i = i + 1; } }

// ends: Cook, Podelski, Rybalchenko 2006
void loop_022(int x) { while (x > 0) { int t = nondet(); if (t) x = x - 1; else x = x - 2; } }

// ends: Cook, Podelski, Rybalchenko 2006
void loop_023(int x) { int i = x; do { i = i - 1; } while (i > 0); }

// ends: Dershowitz, Lindenstrauss, Sagiv, Serebrenik 2001
void loop_024(int x) { while (x > 1) { x = x / 2; } }

// ends: Dershowitz, Lindenstrauss, Sagiv, Serebrenik 2001
void loop_025(int x) { while (x > 0) { x = x / 10; } }

// ends: Dershowitz, Lindenstrauss, Sagiv, Serebrenik 2001
void loop_026(int x, int y) { while (x > y && y >= 0) { x = x - y - 1; } }

// ends: Leike, Heizmann 2014
void loop_027(int x, int y) { while (x >= 0) { x = x + y; y = y - 1; } }

// ends: Leike, Heizmann 2014
void loop_028(int x, int y) { while (x > 0) { x = x - y; y = y + 1; } }

// ends: Ben-Amram, Genaim 2017
void loop_029(int x, int y, int z) { while (x >= 0) { x = x + y; y = y + z; z = z - 1; } }

// ends: Ben-Amram, Genaim 2017
void loop_030(int x, int y, int z) { while (x >= -z) { x = x + y; y = y + z; z = z - 1; } }

// ends: Ben-Amram, Genaim 2014
void loop_031(int x, int y) { while (x > 0) { if (y > 0) y = y - 1; else x = x - 1; } }

// ends: Leike, Heizmann 2014
void loop_032(int x, int y) { while (x > 0) { y = y - 1; x = x + y; } }

// ends: Leike, Heizmann 2014
void loop_033(int x) { int d = 1; while (x > 0 && x < 100) { if (nondet()) d = d; x = x + d; } }

// ends: Leike, Heizmann 2014
void loop_034(int x, int y) { while (x > 0 && y > 0) { int ox = x; x = y - 1; y = ox - 1; } }

// ends: Leike, Heizmann 2014
void loop_035(int x) { while (x != 0) { if (x > 0) x = x - 1; else x = x + 1; } }

// ends: Leike, Heizmann 2014
void loop_036(int x, int y) { while (x > y) { x = x + 1; y = y + 2; } }

// ends: Leike, Heizmann 2014
void loop_037(int x, int y) { while (x >= 0) { x = x - y; if (y < 1) return; } }

// ends: Cook, See, Zuleger 2013
void loop_038(int x, int y) { while (x < y) { if (nondet()) x = x + 1; else y = y - 1; } }

// ends: Cook, See, Zuleger 2013
void loop_039(int x, int y) { while (x > 0) { if (nondet()) x = x - 1; else { x = x - 1; y = nondet(); } } }

// ends: Cook, See, Zuleger 2013
void loop_040(int x, int y) { while (x > 0 && y > 0) { if (nondet()) { x = x - 1; y = y + 1; } else { y = y - 2; } if (y > 1000) return; } }

// ends: Cook, See, Zuleger 2013
void loop_041(int x, int y) { while (x > 0 || y > 0) { if (x > 0) x--; else y--; } }

// ends: Urban 2013
void loop_042(int x) { int i = 1; while (i <= 10) i = i + 1; }

// ends: Urban 2013
void loop_043(int x) { while (x <= 10) { if (x > 6) x = x + 2; else x = x + 1; } }

// ends: Urban 2013
void loop_044(int x) { while (x >= 0) { if (x <= 10) x = x - 1; else x = x - 2; } }

// ends: Urban 2013
void loop_045(int x, int y) { while (x > 0) { x = x + y; y = y - 1; if (y > 1000) y = 1000; } }

// ends: Noori, Sharma 2013
void loop_046(int x, int y) { int c = 0; while (c < x) { c = c + 1; y = y + c; } }

// ends: Noori, Sharma 2013
void loop_047(int x, int y) { int u = x, v = y; while (u > 0) { u = u - 1; v = v + 1; } while (v > 0) v = v - 1; }

// ends: Noori, Sharma 2013
void loop_048(int x, int y) { while (y > 0) { x = y - 1; y = x; } }

// ends: Noori, Sharma 2013
void loop_049(int x, int y) { int z = x + y; while (z > 0) { z = z - 1; x = nondet(); } }

// ends: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_050(int x, int y) { while (x > 0) { y = x; while (y > 0) { y = y - 1; } x = x - 1; } }

// ends: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_051(int x) { int i = 0; while (i < 10) { int j = 5; while (j < 20) j++; i++; } }

// ends: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_052(int x, int y) { while (x >= 1) { if (y >= 1) y = y - 1; else { x = x - 1; y = nondet(); if (y > 50) y = 50; } } }

// ends: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_053(int x) { int d = 73; while (x >= 0) x = x - d; }

// ends: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_054(int x) { int d1 = 73, d2 = 74; while (x >= 0) { if (nondet()) x = x - d1; else x = x - d2; } }

// ends: Kroening, Sharygina, Tsitovich, Wintersteiger 2010
void loop_055(int x) { for (int i = 0; i < 255; i++) { if (nondet()) break; } }

// ends: Kroening, Sharygina, Tsitovich, Wintersteiger 2010
void loop_056(int x) { while (x > 0) { x = x - 3; if (nondet()) continue; x = x - 1; } }

// ends: Kroening, Sharygina, Tsitovich, Wintersteiger 2010
void loop_057(int x) { int i; for (i = x; i >= 10; i = i - 10) ; while (i > 0) i--; }

// ends: Heizmann, Hoenicke, Leike, Podelski 2013
void loop_058(int x) { int y1 = 23; while (x >= y1) { x = x - 1; } }

// ends: Heizmann, Hoenicke, Leike, Podelski 2013
void loop_059(int x, int y) { if (y < 1) return; while (x >= 0) { x = x - y; } }

// ends: Heizmann, Hoenicke, Leike, Podelski 2013
void loop_060(int x) { int y1 = 2; while (x >= 0) { y1 = 1; while (y1 < x) y1 = y1 + 1; x = x - 1; } }

// ends: Heizmann, Hoenicke, Leike, Podelski 2013
void loop_061(int x, int y) { while (x > 0 && y > 0) { if (nondet()) { x = x - 1; } else { x = y; y = y - 1; if (x > y + 1) return; } } }

// ends: Brockschmidt, Cook, Fuhs 2013
void loop_062(int x, int y) { while (x < y) { x = x + 1; }  while (y > 0) { y = y - 2; } }

// ends: Brockschmidt, Cook, Fuhs 2013
void loop_063(int x) { int i = x; while (i > 0) { if (nondet()) i = i - 1; else { int k = i; while (k > 0) k--; i = i - 1; } } }

// ends: Brockschmidt, Cook, Fuhs 2013
void loop_064(int x, int y, int z) { while (x > 0 && z > 0) { if (y > 0) y = y - 1; else { x = x - 1; y = z; } } }

// ends: Brockschmidt, Cook, Fuhs 2013
void loop_065(int x, int y, int z) { while (x >= 0 && y >= 0 && z >= 0) { if (nondet()) { x = x - 1; } else if (nondet()) { y = y - 1; z = nondet(); } else { z = z - 1; x = nondet(); if (x > 5) return; if (y < 1) return; y = y - 1; } } }

// ends: Tiwari 2004
void loop_066(int x, int y) { while (x > 0) { x = x - 1; y = y + x; } }

// ends: Tiwari 2004
void loop_067(int x, int y) { while (x >= 1 && y >= 1) { x = x - y; } }

// ends: Braverman 2006
void loop_068(int x, int y) { while (x >= 5) { x = x - 2; y = 2 * y; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_069(int x, int y) { while (x >= 1) { x = x + y; y = y - 2; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_070(int x, int y) { while (x >= 1) { int ox = x; x = x - y; y = y + ox; if (y < 1) return; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_071(int x, int y) { while (x + y >= 0) { x = x - 1; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_072(int x) { while (x >= 0) { x = -2 * x + 10; if (x < 0) return; x = -1; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_073(int x, int y) { while (x > 0 && x < y) { x = 2 * x; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_074(int x, int y) { while (x < y) { x = x + y; if (y < 1) return; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_075(int x, int y, int n) { while (x <= n) { if (y <= 0) return; x = x + y; } }

// ends: Chen, Flur, Mukhopadhyay 2012
void loop_076(int x, int y, int z) { while (x >= 0 && x <= z) { x = x + 2 * y; if (y == 0) return; if (y > 0) y = 1; else y = -1; } }

// ends: Ben-Amram, Genaim 2014
void loop_077(int x, int y) { while (x >= 0) { if (y >= 0) { y = y - 1; } else { x = x - 1; y = nondet(); if (y > x) y = x; } } }

// ends: Ben-Amram, Genaim 2014
void loop_078(int x, int y) { while (x > 0 && y > x) { y = y - x; } }

// ends: Dershowitz, Lindenstrauss, Sagiv, Serebrenik 2001
void loop_079(int x, int y) { int a = x, b = y; while (a > 0) { if (b > 0) { b = b - 1; } else { b = y; a = a - 1; } } }

// ends: Dershowitz, Lindenstrauss, Sagiv, Serebrenik 2001
void loop_080(int x) { while (x < 101) { x = x + 11; if (x > 100) x = x - 10; } }

// ends: Velroyen, Rümmer 2008
void loop_081(int x) { int i = 0; while (i < 100) { if (x > 50) i = i + 2; else i = i + 1; } }

// runs: Gupta, Henzinger, Majumdar, Rybalchenko, Xu 2008
void loop_082(int x, int y) { while (x >= 0) x = x + y; }

// runs: Gupta, Henzinger, Majumdar, Rybalchenko, Xu 2008
void loop_083(int x) { while (x > 0) x = x + 1; }

// runs: Gupta, Henzinger, Majumdar, Rybalchenko, Xu 2008
void loop_084(int x) { while (x != 0) x = x - 2; }

// runs: Gupta, Henzinger, Majumdar, Rybalchenko, Xu 2008
void loop_085(int x, int y) { int lo = x, hi = y; while (lo < hi) { int mid = (lo + hi) / 2; if (nondet()) lo = mid; else hi = mid; } }

// runs: Velroyen, Rümmer 2008
void loop_086(int x) { while (x != 0) x = x + 1; }

// runs: Velroyen, Rümmer 2008
void loop_087(int x) { while (x > 10) { if (x == 25) x = 30; if (x <= 30) x = x - 1; else x = 20; } }

// runs: Velroyen, Rümmer 2008
void loop_088(int x) { while (x >= 0) { if (x == 0) x = 5; else x = x - 1; } }

// runs: Velroyen, Rümmer 2008
void loop_089(int x, int y) { while (x < 5) { x = x; y = y + 1; } }

// runs: Velroyen, Rümmer 2008
void loop_090(int x, int y) { while (x != y) { x = x + 1; y = y + 1; } }

// runs: Velroyen, Rümmer 2008
void loop_091(int x, int y) { while (x > 0) { if (y > 0) y = y - 1; else y = x; } }

// runs: Velroyen, Rümmer 2008
void loop_092(int x) { int i = 0; while (i < 10) { if (x) i = i + 1; } }

// runs: Chen, Cook, Fuhs, Nimkar, O'Hearn 2014
void loop_093(int x) { int k = nondet(); while (k >= 0) { k = k + 1; int j = k; while (j >= 1) j = j - 1; } }

// runs: Chen, Cook, Fuhs, Nimkar, O'Hearn 2014
void loop_094(int x) { while (x > 0) { x = nondet(); } }

// runs: Chen, Cook, Fuhs, Nimkar, O'Hearn 2014
void loop_095(int x, int y) { while (x >= 0 && y >= 0) { x = x + 1; y = y + 1; } }

// runs: Tiwari 2004
void loop_096(int x, int y) { while (x > y) { x = 2 * x; y = 2 * y; if (x < 0) return; if (y < 0) return; } }

// runs: Tiwari 2004
void loop_097(int x, int y) { while (x > 0) { x = x + y; } }

// runs: Braverman 2006
void loop_098(int x) { while (x > 0) { x = 2 * x; } }

// runs: Leike, Heizmann 2014
void loop_099(int x, int y) { while (x >= 0) { x = x + y; y = y + 1; } }

// runs: Leike, Heizmann 2014
void loop_100(int x, int y) { while (x > 0) { int ox = x; x = y; y = ox; if (y <= 0) return; } }

// runs: Urban 2013
void loop_101(int x) { while (x <= 10) { if (x == 5) x = 0; x = x + 1; if (x == 6) x = 5; } }

// runs: Kroening, Sharygina, Tsitovich, Wintersteiger 2010
void loop_102(int x) { for (;;) { if (x > 10) x = 0; x = x + 1; } }

// runs: Brockschmidt, Cook, Fuhs 2013
void loop_103(int x, int y) { while (x > 0) { y = x; while (y > 0) { y = y - 1; } } }

// runs: Cook, Podelski, Rybalchenko 2006
void loop_104(int x, int y) { for (;;) { y = y + 1; if (y < 0 && y > 0) return; } }

// runs: Larraz, Oliveras, Rodríguez-Carbonell, Rubio 2013
void loop_105(int x, int y) { while (x >= 0) { x = x - y; if (y > 0) y = -y; } }

// runs: Noori, Sharma 2013
void loop_106(int x, int y) { while (x > 0 && y < 10) { if (y > 5) x = x - 1; else x = x + 1; y = y; } }
