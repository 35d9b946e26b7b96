#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of test_ptx_ops.c: an instruction, its operands, its result.

usage: ptx_ops.py >ptx_ops.inc

Results are Python's: whole numbers of any size, fractions, and its own
conversions to and from binary floating point, none of them the program's.
Drawn with a fixed seed: the same rows every time.
"""
import struct, math, random
from fractions import Fraction as Fr
R=random.Random(11)
M={16:0xffff,32:0xffffffff,64:(1<<64)-1}
def sg(x,n): x&=M[n]; return x-(1<<n) if x>>(n-1) else x
rows=[]
def row(ins,args,exp): rows.append((ins,list(args)+[0]*(4-len(args)),exp&M[64]))
def f2b(x): return struct.unpack('<I',struct.pack('<f',x))[0]
def d2b(x): return struct.unpack('<Q',struct.pack('<d',x))[0]
def h2b(x): return struct.unpack('<H',struct.pack('<e',x))[0]
def b2h(x): return struct.unpack('<e',struct.pack('<H',x))[0]
def b2f(x): return struct.unpack('<f',struct.pack('<I',x))[0]
ed={16:[0,1,0x7fff,0x8000,0xffff],32:[0,1,0x7fffffff,0x80000000,0xffffffff],64:[0,1,(1<<63)-1,1<<63,(1<<64)-1]}
reg={16:'h',32:'r',64:'d'}
def v(n): return R.choice(ed[n]) if R.random()<.4 else R.getrandbits(n)
def bin_(op,n,fn,k=3):
    r=reg[n]
    for _ in range(k):
        a,b=v(n),v(n); row(f"{op} %{r}4, %{r}0, %{r}1;",(a,b),fn(a,b)&M[n])
def tri(op,n,fn,k=3,dn=None):
    r=reg[n]; dn=dn or n
    for _ in range(k):
        a,b,c=v(n),v(n),v(dn); row(f"{op} %{reg[dn]}4, %{r}0, %{r}1, %{reg[dn]}2;",(a,b,c),fn(a,b,c)&M[dn])
for n in (16,32,64):
    bin_(f"add.s{n}",n,lambda a,b:a+b); bin_(f"sub.u{n}",n,lambda a,b:a-b); bin_(f"mul.lo.s{n}",n,lambda a,b:a*b)
    bin_(f"mul.hi.s{n}",n,lambda a,b:(sg(a,n)*sg(b,n))>>n,5); bin_(f"mul.hi.u{n}",n,lambda a,b:(a*b)>>n,4)
    tri(f"mad.lo.u{n}",n,lambda a,b,c:a*b+c); tri(f"mad.hi.s{n}",n,lambda a,b,c:((sg(a,n)*sg(b,n))>>n)+c)
    tri(f"mad.hi.u{n}",n,lambda a,b,c:((a*b)>>n)+c)
    bin_(f"min.s{n}",n,lambda a,b:min(sg(a,n),sg(b,n))); bin_(f"max.u{n}",n,max); bin_(f"max.s{n}",n,lambda a,b:max(sg(a,n),sg(b,n)))
    def td(a,b):
        a,b=sg(a,n),sg(b,n); q=abs(a)//abs(b); return q if (a<0)==(b<0) else -q
    for _ in range(4):
        a,b=v(n),v(n)
        if b==0: b=3
        row(f"div.s{n} %{reg[n]}4, %{reg[n]}0, %{reg[n]}1;",(a,b),td(a,b)&M[n])
        row(f"rem.s{n} %{reg[n]}4, %{reg[n]}0, %{reg[n]}1;",(a,b),(sg(a,n)-sg(b,n)*td(a,b))&M[n])
        row(f"div.u{n} %{reg[n]}4, %{reg[n]}0, %{reg[n]}1;",(a,b),a//b)
        row(f"rem.u{n} %{reg[n]}4, %{reg[n]}0, %{reg[n]}1;",(a,b),a%b)
    tri(f"sad.s{n}",n,lambda a,b,c:c+abs(sg(a,n)-sg(b,n))); tri(f"sad.u{n}",n,lambda a,b,c:c+abs(a-b))
    for _ in range(2):
        a=v(n); r=reg[n]
        row(f"abs.s{n} %{r}4, %{r}0;",(a,),abs(sg(a,n))&M[n]); row(f"neg.s{n} %{r}4, %{r}0;",(a,),-a&M[n]); row(f"not.b{n} %{r}4, %{r}0;",(a,),~a&M[n]); row(f"cnot.b{n} %{r}4, %{r}0;",(a,),int(a==0))
        for s in (1,n-1,n,200):
            row(f"shl.b{n} %{r}4, %{r}0, {s};",(a,),a<<s&M[n]); row(f"shr.u{n} %{r}4, %{r}0, {s};",(a,),a>>s); row(f"shr.s{n} %{r}4, %{r}0, {s};",(a,),(sg(a,n)>>s)&M[n])
for n in (16,32):
    for s,f in (('u',lambda x:x),('s',lambda x:sg(x,n))):
        r=reg[n];R2=reg[2*n]
        for _ in range(3):
            a,b,c=v(n),v(n),v(2*n)
            row(f"mul.wide.{s}{n} %{R2}4, %{r}0, %{r}1;",(a,b),f(a)*f(b)&M[2*n]); row(f"mad.wide.{s}{n} %{R2}4, %{r}0, %{r}1, %{R2}2;",(a,b,c),(f(a)*f(b)+c)&M[2*n])
def s24(x): x&=0xffffff; return x-(1<<24) if x>>23 else x
for _ in range(3):
    a,b,c=v(32),v(32),v(32)
    row("mul24.lo.s32 %r4, %r0, %r1;",(a,b),s24(a)*s24(b)&M[32]); row("mul24.hi.s32 %r4, %r0, %r1;",(a,b),(s24(a)*s24(b)>>16)&M[32]); row("mul24.hi.u32 %r4, %r0, %r1;",(a,b),((a&0xffffff)*(b&0xffffff)>>16)&M[32]); row("mad24.lo.u32 %r4, %r0, %r1, %r2;",(a,b,c),((a&0xffffff)*(b&0xffffff)+c)&M[32])
    cl=lambda x:max(-2**31,min(2**31-1,x))
    row("add.sat.s32 %r4, %r0, %r1;",(a,b),cl(sg(a,32)+sg(b,32))&M[32]); row("sub.sat.s32 %r4, %r0, %r1;",(a,b),cl(sg(a,32)-sg(b,32))&M[32])
    row("mad.hi.sat.s32 %r4, %r0, %r1, %r2;",(a,b,c),cl((sg(a,32)*sg(b,32)>>32)+sg(c,32))&M[32])
    by=lambda x,i,s:(x>>8*i&255)-(256 if s and x>>(8*i+7)&1 else 0)
    ha=lambda x,i,s:(x>>16*i&65535)-(65536 if s and x>>(16*i+15)&1 else 0)
    for sa in 'us':
        for sb in 'us':
            row(f"dp4a.{sa}32.{sb}32 %r4, %r0, %r1, %r2;",(a,b,c),(c+sum(by(a,i,sa=='s')*by(b,i,sb=='s') for i in range(4)))&M[32])
            row(f"dp2a.hi.{sa}32.{sb}32 %r4, %r0, %r1, %r2;",(a,b,c),(c+sum(ha(a,i,sa=='s')*by(b,2+i,sb=='s') for i in range(2)))&M[32])
for n in (32,64):
    r=reg[n]
    for a in (0,1,1<<(n-1),R.getrandbits(n),M[n]):
        row(f"popc.b{n} %r4, %{r}0;",(a,),bin(a).count('1')); row(f"clz.b{n} %r4, %{r}0;",(a,),n-a.bit_length()); row(f"brev.b{n} %{r}4, %{r}0;",(a,),int(bin(a)[2:].zfill(n)[::-1],2))
        row(f"bfind.u{n} %r4, %{r}0;",(a,),a.bit_length()-1&M[32]); x=a if sg(a,n)>=0 else ~a&M[n]
        row(f"bfind.s{n} %r4, %{r}0;",(a,),x.bit_length()-1&M[32])
        if a: row(f"bfind.shiftamt.u{n} %r4, %{r}0;",(a,),n-a.bit_length())
    for p,l in ((0,0),(3,5),(n-4,8),(n+3,4),(0,n),(5,255),(n-1,1)):
        a=R.getrandbits(n)|1<<(n-1);b=R.getrandbits(n)
        bits=[a>>i&1 for i in range(n)]
        for s in 'us':
            sb=0 if s=='u' or l==0 else bits[min(p+l-1,n-1)]
            d=sum((bits[p+i] if i<l and p+i<=n-1 else sb)<<i for i in range(n))
            row(f"bfe.{s}{n} %{r}4, %{r}0, {p}, {l};",(a,),d)
        f=[b>>i&1 for i in range(n)]
        for i in range(l):
            if p+i<n: f[p+i]=bits[i]
        row(f"bfi.b{n} %{r}4, %{r}0, %{r}1, {p}, {l};",(a,b),sum(x<<i for i,x in enumerate(f)))
for _ in range(3):
    a,b,c=(R.getrandbits(32) for _ in range(3))
    for t in (0x80,0xea,0x96,R.getrandbits(8)):
        row(f"lop3.b32 %r4, %r0, %r1, %r2, {t};",(a,b,c),sum((t>>((a>>i&1)<<2|(b>>i&1)<<1|(c>>i&1))&1)<<i for i in range(32)))
    w=b<<32|a
    for s in (0,7,31,32,40):
        row(f"shf.l.wrap.b32 %r4, %r0, %r1, {s};",(a,b),(w<<(s&31)>>32)&M[32]); row(f"shf.r.clamp.b32 %r4, %r0, %r1, {s};",(a,b),(w>>min(s,32))&M[32]); row(f"shf.r.wrap.b32 %r4, %r0, %r1, {s};",(a,b),(w>>(s&31))&M[32]); row(f"shf.l.clamp.b32 %r4, %r0, %r1, {s};",(a,b),(w<<min(s,32)>>32)&M[32])
    B=[(w>>8*i)&255 for i in range(8)]
    for sel in (0x3210,0x7654,0x0123,0xfedc,R.getrandbits(16)):
        def pb(i):
            q=sel>>4*i&15; x=B[q&7]; return (255 if x>>7 else 0) if q&8 else x
        row(f"prmt.b32 %r4, %r0, %r1, {sel};",(a,b),sum(pb(i)<<8*i for i in range(4)))
tab={'f4e':["3210","4321","5432","6543"],'b4e':["5670","6701","7012","0123"],'rc8':["0000","1111","2222","3333"],'ecl':["3210","3211","3222","3333"],'ecr':["0000","1110","2210","3210"],'rc16':["1010","3232","1010","3232"]}
a,b=0x83a2c1d0,0x17e6f5b4; B=[(((b<<32)|a)>>8*i)&255 for i in range(8)]
for m,t in tab.items():
    for s in range(4): row(f"prmt.b32.{m} %r4, %r0, %r1, {s};",(a,b),sum(B[int(t[s][3-i])]<<8*i for i in range(4)))
# --- floating point: exact rationals rounded here
def rnd(x,mode,p,emin,emax,neg0=False):
    """x Fraction -> (sign,Fraction) rounded to p bits"""
    if x==0: return x
    s=x<0; ax=abs(x)
    e=math.frexp(float(ax))[1]-1
    while Fr(2)**e>ax: e-=1
    while Fr(2)**(e+1)<=ax: e+=1
    e=max(e,emin)
    u=Fr(2)**(e-p+1); q=ax/u; fl=q.numerator//q.denominator; rest=q-fl
    up={'rz':False,'rm':s and rest>0,'rp':(not s) and rest>0,'rn':rest>Fr(1,2) or (rest==Fr(1,2) and fl&1)}[mode]
    y=(fl+up)*u
    big=(2-Fr(2)**(1-p))*Fr(2)**emax
    if y>big: y=None if mode=='rn' or (mode=='rm' and s) or (mode=='rp' and not s) else big
    if y is None: return -math.inf if s else math.inf
    return -y if s else y
def fb(x,mode): # to binary32 bits
    y=rnd(x,mode,24,-126,127); return f2b(float(y))
def db(x,mode):
    y=rnd(x,mode,53,-1022,1023); return d2b(float(y))
def rf(): return struct.unpack('<f',struct.pack('<f',R.uniform(-4,4)*2.0**R.randrange(-20,20)))[0]
def rd(): return R.uniform(-4,4)*2.0**R.randrange(-60,60)
for mode in ('rn','rz','rm','rp'):
    for _ in range(3):
        a,b,c=rf(),rf(),rf(); A,B_,C=Fr(a),Fr(b),Fr(c)
        i=(f2b(a),f2b(b),f2b(c))
        row(f"add.{mode}.f32 %r4, %r0, %r1;",i,fb(A+B_,mode)); row(f"sub.{mode}.f32 %r4, %r0, %r1;",i,fb(A-B_,mode)); row(f"mul.{mode}.f32 %r4, %r0, %r1;",i,fb(A*B_,mode)); row(f"fma.{mode}.f32 %r4, %r0, %r1, %r2;",i,fb(A*B_+C,mode)); row(f"div.{mode}.f32 %r4, %r0, %r1;",i,fb(A/B_,mode)); row(f"rcp.{mode}.f32 %r4, %r0;",i,fb(1/A,mode))
        a,b,c=rd(),rd(),rd(); A,B_,C=Fr(a),Fr(b),Fr(c); i=(d2b(a),d2b(b),d2b(c))
        row(f"add.{mode}.f64 %d4, %d0, %d1;",i,db(A+B_,mode)); row(f"mul.{mode}.f64 %d4, %d0, %d1;",i,db(A*B_,mode)); row(f"fma.{mode}.f64 %d4, %d0, %d1, %d2;",i,db(A*B_+C,mode)); row(f"div.{mode}.f64 %d4, %d0, %d1;",i,db(A/B_,mode))
        x=abs(rf()); X=Fr(x); # sqrt: integer square root at high precision plus sticky
        n=X*Fr(4)**100; q=math.isqrt(n.numerator//n.denominator); ex=q*q==n; sr=Fr(q*2+(0 if ex else 1),2)/Fr(2)**100
        row(f"sqrt.{mode}.f32 %r4, %r0;",(f2b(x),),fb(sr,mode)); 
        x=abs(rd()); X=Fr(x); n=X*Fr(4)**200; q=math.isqrt(n.numerator//n.denominator); ex=q*q==n; sr=Fr(q*2+(0 if ex else 1),2)/Fr(2)**200
        row(f"sqrt.{mode}.f64 %d4, %d0;",(d2b(x),),db(sr,mode))
        # conversions
        u=R.getrandbits(64); s=sg(u,64)
        row(f"cvt.{mode}.f32.u64 %r4, %d0;",(u,),fb(Fr(u),mode)); row(f"cvt.{mode}.f32.s64 %r4, %d0;",(u,),fb(Fr(s),mode)); row(f"cvt.{mode}.f64.u64 %d4, %d0;",(u,),db(Fr(u),mode)); row(f"cvt.{mode}.f64.s64 %d4, %d0;",(u,),db(Fr(s),mode)); row(f"cvt.{mode}.f32.s32 %r4, %r0;",(u&M[32],),fb(Fr(sg(u,32)),mode))
        d=rd(); row(f"cvt.{mode}.f32.f64 %r4, %d0;",(d2b(d),),fb(Fr(d),mode))
        x=rf(); hm=rnd(Fr(x),mode,11,-14,15); row(f"cvt.{mode}.f16.f32 %h4, %r0;",(f2b(x),),h2b(float(hm)) if not (hm==0 and x<0) else 0x8000)
        # half arithmetic (rn only)
        if mode=='rn':
            a,b,c=(struct.unpack('<e',struct.pack('<e',R.uniform(-3,3)*2.0**R.randrange(-10,8)))[0] for _ in range(3)); A,B_,C=Fr(a),Fr(b),Fr(c); i=(h2b(a),h2b(b),h2b(c))
            hb=lambda x:h2b(float(rnd(x,'rn',11,-14,15)))
            row("add.f16 %h4, %h0, %h1;",i,hb(A+B_)); row("mul.rn.f16 %h4, %h0, %h1;",i,hb(A*B_)); row("fma.rn.f16 %h4, %h0, %h1, %h2;",i,hb(A*B_+C)); row("sub.rn.f16 %h4, %h0, %h1;",i,hb(A-B_))
            pk=lambda p,q:p|q<<16
            row("fma.rn.f16x2 %r4, %r0, %r1, %r2;",(pk(i[0],i[1]),pk(i[1],i[2]),pk(i[2],i[0])),pk(hb(A*B_+C),hb(B_*C+A)))
            bf=lambda x:f2b(float(rnd(x,'rn',8,-126,127)))>>16
            ba,bb_,bc=(bf(Fr(rf())) for _ in range(3)); A,B_,C=(Fr(b2f(t<<16)) for t in (ba,bb_,bc))
            row("fma.rn.bf16 %h4, %h0, %h1, %h2;",(ba,bb_,bc),bf(A*B_+C)); row("cvt.rn.bf16.f32 %h4, %r0;",(f2b(x),),bf(Fr(x)))
# the double rounding case of an fma to binary16: 1 * 2^-14.. by hand
for x in (2.5,-2.5,3.5,-0.5,0.5,1e10,-1e10,0.49999997):
    x=b2f(f2b(x)); X=Fr(x)
    fl=math.floor(X); ce=math.ceil(X); tr=math.trunc(X); ne=round(X)
    for m,y in (('rmi',fl),('rpi',ce),('rzi',tr),('rni',ne)):
        row(f"cvt.{m}.s32.f32 %r4, %r0;",(f2b(x),),max(-2**31,min(2**31-1,y))&M[32]); row(f"cvt.{m}.u32.f32 %r4, %r0;",(f2b(x),),max(0,min(2**32-1,y))); row(f"cvt.{m}.s64.f32 %d4, %r0;",(f2b(x),),y&M[64])
        row(f"cvt.{m}.u8.f32 %h4, %r0;",(f2b(x),),max(0,min(255,y)))
        z=d2b(float(y)); 
        row(f"cvt.{m}.f64.f64 %d4, %d0;",(d2b(x),),z if y else (1<<63 if x<0 else 0))
nan=0x7fc00000; inf=0x7f800000; ninf=0xff800000
for t,n in (('s32',32),('u32',32)): row(f"cvt.rzi.{t}.f32 %r4, %r0;",(nan,),0)
row("cvt.rzi.s32.f32 %r4, %r0;",(inf,),0x7fffffff); row("cvt.rzi.s32.f32 %r4, %r0;",(ninf,),0x80000000); row("cvt.rzi.u64.f32 %d4, %r0;",(inf,),M[64])
for a in (0x1ff,0x80,0xff7f,0x1234567890abcdef):
    row("cvt.s32.s8 %r4, %r0;",(a,),((a&255)^128)-128&M[32]); row("cvt.u32.u8 %r4, %r0;",(a,),a&255); row("cvt.s64.s32 %d4, %r0;",(a,),sg(a,32)&M[64]); row("cvt.u64.u16 %d4, %h0;",(a,),a&65535); row("cvt.s16.s8 %h4, %r0;",(a,),((a&255)^128)-128&65535)
    cl8=lambda x:max(-128,min(127,x))
    row("cvt.sat.s8.s32 %r4, %r0;",(a,),cl8(sg(a,32))&M[32]); row("cvt.sat.u8.s32 %r4, %r0;",(a,),max(0,min(255,sg(a,32)))); row("cvt.sat.s16.s64 %h4, %d0;",(a,),max(-32768,min(32767,sg(a,64)))&65535); row("cvt.sat.u32.s64 %r4, %d0;",(a,),max(0,min(M[32],sg(a,64))))
# special values, from the sections of the instruction set
one=f2b(1.0); sub=1; 
S=[("min.f32 %r4, %r0, %r1;",(nan,one),one),("max.f32 %r4, %r0, %r1;",(one,nan),one),("min.NaN.f32 %r4, %r0, %r1;",(nan,one),0x7fffffff),("min.f32 %r4, %r0, %r1;",(0,1<<31),1<<31),("max.f32 %r4, %r0, %r1;",(1<<31,0),0),
("add.ftz.f32 %r4, %r0, %r1;",(sub,0),0),("add.f32 %r4, %r0, %r1;",(sub,0),1),("mul.ftz.f32 %r4, %r0, %r1;",(0x80800000,f2b(.5)),1<<31),("add.sat.f32 %r4, %r0, %r1;",(one,one),one),("sub.sat.f32 %r4, %r0, %r1;",(0,one),0),("add.sat.f32 %r4, %r0, %r1;",(nan,one),0),
("mul.f32 %r4, %r0, %r1;",(inf,0),0x7fffffff),("div.rn.f32 %r4, %r0, %r1;",(one,0),inf),("sqrt.rn.f32 %r4, %r0;",(f2b(-1.0),),0x7fffffff),("rsqrt.approx.f32 %r4, %r0;",(0,),inf),("lg2.approx.f32 %r4, %r0;",(f2b(8.0),),f2b(3.0)),("ex2.approx.f32 %r4, %r0;",(f2b(-3.0),),f2b(.125)),("lg2.approx.f32 %r4, %r0;",(0,),ninf),
("copysign.f32 %r4, %r0, %r1;",(f2b(-2.0),f2b(3.0)),f2b(-3.0)),("neg.f32 %r4, %r0;",(0,),1<<31),("abs.f64 %d4, %d0;",(d2b(-2.5),),d2b(2.5)),
("div.u32 %r4, %r0, %r1;",(7,0),M[32]),("cvt.f32.f16 %r4, %h0;",(1,),f2b(2.0**-24)),("cvt.rn.f16.f32 %h4, %r0;",(f2b(65520.0),),0x7c00),("cvt.rz.f16.f32 %h4, %r0;",(f2b(65520.0),),0x7bff),("cvt.rn.satfinite.f16.f32 %h4, %r0;",(f2b(1e6),),0x7bff),("cvt.rn.f16.f32 %h4, %r0;",(nan,),0x7fff),("cvt.sat.f32.f32 %r4, %r0;",(f2b(1.5),),one),
("cvt.rn.f16x2.f32 %r4, %r0, %r1;",(f2b(1.0),f2b(-2.0)),0x3c00c000),("cvt.rn.relu.f16x2.f32 %r4, %r0, %r1;",(f2b(1.0),f2b(-2.0)),0x3c000000),("cvt.rna.tf32.f32 %r4, %r0;",(0x3f801000,),0x3f802000),
("selp.b32 %r4, %r0, %r1, 1;",(5,6),5),("slct.b32.s32 %r4, %r0, %r1, %r2;",(5,6,M[32]),6),("slct.b32.f32 %r4, %r0, %r1, %r2;",(5,6,1<<31),5),
("set.lt.u32.s32 %r4, %r0, %r1;",(M[32],1),M[32]),("set.gt.f32.f32 %r4, %r0, %r1;",(one,0),one),("mov.b64 %d4, {%r0, %r1};",(1,2),0x200000001),("mov.b64 {%r4, %r5}, %d0;",(0x200000001,),1),("mov.b32 %r4, {%h0, %h1};",(1,2),0x20001),
("add.f32 %r4, %r0, 0f3F800000;",(one,),f2b(2.0)),("add.f32 %r4, %r0, 1.0;",(one,),f2b(2.0)),("add.f64 %d4, %d0, 0d3FF0000000000000;",(d2b(1.0),),d2b(2.0)),("add.s32 %r4, %r0, -1;",(0,),M[32]),("add.s64 %d4, %d0, -1;",(0,),M[64]),
("szext.wrap.s32 %r4, %r0, 4;",(0x18,),0xfffffff8),("bmsk.clamp.b32 %r4, 4, 8;",(),0xff0),("fns.b32 %r4, %r0, 0, 2;",(0b10110,),2),("fma.rn.relu.f16 %h4, %h0, %h1, %h2;",(h2b(-1),h2b(2),h2b(1)),0),("min.s32 %r4, %r0, 7;",(M[32],),M[32]),
]
for s in S: row(*s)
nanf=nan
cmps={'eq':lambda a,b:a==b,'ne':lambda a,b:a!=b and a==a and b==b,'lt':lambda a,b:a<b,'le':lambda a,b:a<=b,'gt':lambda a,b:a>b,'ge':lambda a,b:a>=b}
for a in (1.0,2.0,math.nan):
    for b in (1.0,math.nan):
        un=a!=a or b!=b
        for c,f in cmps.items():
            for u in ('','u'):
                e=int(bool(un if u and un else f(a,b)))
                row(f"setp.{c}{u}.f32 %p0, %r0, %r1; selp.b32 %r4, 1, 0, %p0;",(f2b(a) if a==a else nan,f2b(b) if b==b else nan),e)
        row("setp.num.f32 %p0, %r0, %r1; selp.b32 %r4, 1, 0, %p0;",(f2b(a) if a==a else nan,f2b(b) if b==b else nan),int(not un)); row("setp.nan.f32 %p0, %r0, %r1; selp.b32 %r4, 1, 0, %p0;",(f2b(a) if a==a else nan,f2b(b) if b==b else nan),int(un))
for c,e in (('lt',1),('lo',0),('ge',0),('hs',1),('hi',1),('ls',0)):
    t='u32' if c in('lo','hs','hi','ls') else 's32'
    row(f"setp.{c}.{t} %p0, %r0, %r1; selp.b32 %r4, 1, 0, %p0;",(M[32],1),e)
row("setp.eq.u32 %p1, %r0, 0; setp.lt.and.s32 %p0|%p2, %r0, %r1, !%p1; selp.b32 %r4, 2, 0, %p0; selp.b32 %r5, 1, 0, %p2; or.b32 %r4, %r4, %r5;",(1,0),1)
# extended precision: 128-bit sum, difference and product
a0,a1,b0,b1=(R.getrandbits(64) for _ in range(4)); a0|=1<<63; b0|=1<<63
row("add.cc.u64 %d4, %d0, %d1; addc.u64 %d4, %d2, %d3;",(a0,b0,a1,b1),((a1<<64|a0)+(b1<<64|b0))>>64&M[64])
row("sub.cc.u64 %d4, %d0, %d1; subc.u64 %d4, %d2, %d3;",(5,6,a1,b1),((a1<<64|5)-(b1<<64|6))>>64&M[64])
row("mad.lo.cc.u32 %r4, %r0, %r1, %r2; madc.hi.u32 %r4, %r0, %r1, %r3;",(0xfedcba98,0x87654321,0xffffffff,7),((0xfedcba98*0x87654321+(7<<32|0xffffffff))>>32)&M[32])
# lop3 with a predicate: d, then p = (d != 0) op q
for op,f in (('or',lambda x,y:x|y),('and',lambda x,y:x&y)):
    for a,b,c in ((0xf0f0f0f0,0x0ff00ff0,0x00ffff00),(1,2,4)):
        for q in (0,1):
            for neg in ('','!'):
                d=a&b&c; code=f"setp.eq.u32 %p1, {q}, 1; lop3.{op}.b32 %r%d|%p0, %r0, %r1, %r2, 0x80, {neg}%p1;"
                row(code.replace('%r%d','%r4'),(a,b,c),d)
                row(code.replace('%r%d','_')+" selp.b32 %r4, 7, 9, %p0;",(a,b,c),7 if f(int(d!=0),q^int(neg=='!')) else 9)
# cvt.pack: each saturated to n bits, a above b, c moved up to make room
for t,n in (('u16',16),('s16',16),('u8',8),('s8',8),('u4',4),('s4',4),('u2',2),('s2',2)):
    lo,hi=(0,2**n-1) if t[0]=='u' else (-2**(n-1),2**(n-1)-1)
    for a,b in ((5,-300),(0x7fffffff,-0x80000000),(-1,1),(-2,70000)):
        c=0x89abcdef; p=lambda x:max(lo,min(hi,x))&(2**n-1)
        if n==16: row(f"cvt.pack.sat.{t}.s32 %r4, %r0, %r1;",(a&M[32],b&M[32]),p(a)<<16|p(b))
        else: row(f"cvt.pack.sat.{t}.s32.b32 %r4, %r0, %r1, %r2;",(a&M[32],b&M[32],c),(c<<2*n|p(a)<<n|p(b))&M[32])
# 8 bits: every pattern's value, the nearest one (ties to the even pattern), the largest for what is beyond it
def v8(c,eb,fb,ieee):
    e,f=c>>fb&(1<<eb)-1,c&(1<<fb)-1; b=(1<<eb-1)-1; s=-1 if c>>7 else 1
    if (ieee and e==(1<<eb)-1) or (not ieee and c&127==127): return None
    return s*(Fr(f,1<<fb)*Fr(2)**(1-b) if e==0 else (1+Fr(f,1<<fb))*Fr(2)**(e-b))
for t8,eb,fb,ieee in (('e4m3x2',4,3,False),('e5m2x2',5,2,True)):
    val=[v8(c,eb,fb,ieee) for c in range(128)]; ok=[c for c in range(128) if val[c] is not None]
    def near(x,relu=False):
        if x!=x: return 127
        neg=math.copysign(1,x)<0
        if relu and neg: return 0
        a=abs(x); c=ok[-1] if math.isinf(a) or Fr(a)>val[ok[-1]] else min(ok,key=lambda c:(abs(val[c]-Fr(a)),c&1))
        return c|neg<<7
    xs=[0.0,-0.0,1.0,-1.5,448.0,449.0,460.0,57344.0,1e6,-1e6,float('inf'),float('-inf'),float('nan'),2.0**-9,2.0**-10,-3*2.0**-10,2.0**-16,3*2.0**-17,0.0625,17.0,18.0,19.0,-20.0,0.3,-0.7,3.14159]
    for i,x in enumerate(xs):
        y=xs[(7*i+3)%len(xs)]
        row(f"cvt.rn.satfinite.{t8}.f32 %h4, %r0, %r1;",(f2b(x),f2b(y)),near(b2f(f2b(x)))<<8|near(b2f(f2b(y))))
        row(f"cvt.rn.satfinite.relu.{t8}.f32 %h4, %r0, %r1;",(f2b(x),f2b(y)),near(b2f(f2b(x)),True)<<8|near(b2f(f2b(y)),True))
        hx,hy=(h2b(z) if abs(z)<65504 or z!=z or math.isinf(z) else h2b(65504.0) for z in (x,y))
        row(f"cvt.rn.satfinite.{t8}.f16x2 %h4, %r0;",(hx<<16|hy,),near(b2h(hx))<<8|near(b2h(hy)))
    for c in range(0,256,3):
        q=lambda c: 0x7fff if (val[c&127] is None and not (ieee and c&127==124)) else (c>>7)<<15|(h2b(float(val[c&127])) if val[c&127] is not None else 0x7c00)
        d=(5*c+1)&255
        row(f"cvt.rn.f16x2.{t8} %r4, %h0;",(c<<8|d,),q(c)<<16|q(d))
# video instructions without selectors: parts of n bits, then the third operand
def vid(f,n,da,ta,tb,sat,acc,a,b,c):
    q=[]
    for p in range(0,32,n):
        x=a>>p&M2(n);y=b>>p&M2(n)
        x=sgn(x,n) if ta=='s' else x; y=sgn(y,n) if tb=='s' else y
        v=f(x,y)
        if sat: v=max(-2**(n-1),min(2**(n-1)-1,v)) if da=='s' else max(0,min(2**n-1,v))
        q.append(v)
    s32=lambda z:sgn(z,32) if da=='s' else z
    if n==32: return {'':lambda:q[0],'add':lambda:q[0]+c,'min':lambda:min(q[0],s32(c)),'max':lambda:max(q[0],s32(c))}[acc]()&M[32]
    if acc=='add': return (c+sum(q))&M[32]
    return sum((v&M2(n))<<n*i for i,v in enumerate(q))
M2=lambda n:(1<<n)-1
sgn=lambda x,n:x-(1<<n) if x>>(n-1)&1 else x
V=((0x01ff807f,0xff017f80,7),(0x8e2da590,0x00000010,0x248a9f70),(0x12345678,0x9abcdef0,0xfffffff0),(0x80000000,0x7fffffff,1))
for k,n in (('',32),('2',16),('4',8)):
    ops=[('vadd',lambda x,y:x+y),('vsub',lambda x,y:x-y),('vabsdiff',lambda x,y:abs(x-y)),('vmin',min),('vmax',max)]
    if k: ops.append(('vavrg',lambda x,y:(x+y+(1 if x+y>=0 else 0))>>1))
    for op,f in ops:
        for ty in ('uuu','sss','sus'):
            for sat in ('','.sat'):
                for acc in (('','add','min','max') if not k else ('','add')):
                    a,b,c=R.choice(V); third='' if not k and not acc else ', %r2'
                    row(f"{op}{k}.{ty[0]}32.{ty[1]}32.{ty[2]}32{sat}{'.'+acc if acc else ''} %r4, %r0, %r1{third};",(a,b,c),vid(f,n,*ty,sat,acc,a,b,c))
    for cmp,f in (('eq',lambda x,y:x==y),('lt',lambda x,y:x<y),('ge',lambda x,y:x>=y)):
        for ty in ('uu','ss'):
            for acc in ('','add'):
                a,b,c=R.choice(V); third='' if not k and not acc else ', %r2'
                row(f"vset{k}.{ty[0]}32.{ty[1]}32.{cmp}{'.'+acc if acc else ''} %r4, %r0, %r1{third};",(a,b,c),vid(lambda x,y:int(f(x,y)),n,'u',*ty,'',acc,a,b,c))
for s in (0,16,31,32,40):
    for a in (0x8e2da590,0x12345678):
        for t in 'us':
            x=sg(a,32) if t=='s' else a
            row(f"vshr.{t}32.{t}32.u32.clamp.add %r4, %r0, {s}, %r2;",(a,0,0x248a9f70),(x>>min(s,32))+0x248a9f70&M[32])
            row(f"vshr.{t}32.{t}32.u32.wrap %r4, %r0, {s};",(a,),(x>>(s&31))&M[32]); row(f"vshl.{t}32.{t}32.u32.clamp %r4, %r0, {s};",(a,),x<<min(s,32)&M[32])
import sys
with sys.stdout as o:
    for ins,a,e in rows:
        o.write('    {"%s", {%s}, 0x%xu},\n'%(ins,', '.join('0x%xu'%(x&M[64]) for x in a),e))
